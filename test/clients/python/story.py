"""Tells the partner's story with nothing but the standard library, and prints it as JSON.

Usage: story.py URL KEY
"""

import base64
import http.client
import json
import sys
import urllib.error
import urllib.parse
import urllib.request

BASE, KEY = sys.argv[1:]
BASIC = "Basic " + base64.b64encode(f"{KEY}:".encode()).decode()


def call(method, path, body=None, headers=None):
    """One call with urllib: status, headers, body."""
    request = urllib.request.Request(BASE + path, method=method)
    request.add_header("Authorization", BASIC)
    for name, value in (headers or {}).items():
        request.add_header(name, value)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status, answer.headers, json.load(answer)
    except urllib.error.HTTPError as refused:
        with refused:
            return refused.code, refused.headers, json.load(refused)


def done(method, path, body=None):
    status, _, answer = call(method, path, body)
    assert 200 <= status < 300, (method, path, status, answer)
    return answer


def link():
    partner_id = "crm/4711 &+%"
    link = done("POST", "/v2/customers/cus_ben/link", {"partner_customer_id": partner_id})
    found = done("GET", "/v2/customers?" + urllib.parse.urlencode({"partner_customer_id": partner_id}))
    return {
        "linked": {"id": link["customer_id"], "partner_customer_id": link["partner_customer_id"]},
        "found": [row["id"] for row in found["data"]],
    }


def announce():
    body = {"customer_id": "cus_ada", "amount": 1250, "currency": "USD", "merchant_name": "Corner Bistro"}
    intent = done("POST", "/v2/transaction_intents", body)
    return {
        "intent": {name: intent[name] for name in ("amount", "currency", "status")},
        "read_back": done("GET", f"/v2/transaction_intents/{intent['id']}") == intent,
    }


def settle():
    def balance():
        return done("GET", "/v2/customers/cus_ada/rewards_balance")["reward_balance"]

    before = balance()
    reward = done("PATCH", "/v2/rewards/rwd_ada_pending", {"status": "AVAILABLE"})
    return {
        "balances": [before, balance()],
        "settled": {name: reward[name] for name in ("id", "status")},
    }


def keep_alive():
    """Both lists page by page, on one connection of http.client."""
    where = urllib.parse.urlsplit(BASE)
    connection = http.client.HTTPConnection(where.hostname, where.port, timeout=10)

    def page(path, **query):
        connection.request("GET", f"{path}?{urllib.parse.urlencode(query)}", headers={"Authorization": BASIC})
        answer = connection.getresponse()
        assert answer.status == 200 and not answer.will_close, (answer.status, answer.getheaders())
        return json.load(answer)

    def walk(path, name, following):
        pages, query = [], {"limit": 10}
        while True:
            answer = page(path, **query)
            pages.append([row[name] for row in answer["data"]])
            if not answer["has_more"]:
                return {"pages": [len(rows) for rows in pages], "different": len(set(sum(pages, [])))}
            query["starting_after"] = following(answer)

    story = {
        "statements": walk(
            "/v2/customers/cus_ada/accounts/acct_ada/statements",
            "statement_id",
            lambda answer: answer["next_page_token"],
        ),
        "customers": walk("/v2/customers", "id", lambda answer: answer["data"][-1]["id"]),
    }
    connection.close()
    return story


def refused():
    a_status, _, a = call("PATCH", "/v2/rewards/rwd_ada_deducted", {})
    b_status, _, b = call("GET", "/v2/customers", headers={"X-Service-Version": "2024-01-01"})
    c_status, _, c = call("GET", "/v2/transaction_intents/int_nobody")
    return {
        "a": {"status": a_status, "details": a["details"]},
        "b": {"status": b_status, "type": b["error"]["type"]},
        "c": {"status": c_status, "type": c["type"], "param": c["param"]},
    }


def insist():
    """Calls again as long as it is told to wait; a partner would sleep for as long as it says."""
    attempts = []
    while not attempts or attempts[-1]["status"] == 429:
        status, headers, _ = call(
            "GET", "/v2/rewards/rewards_categories", headers={"X-Sandbox-Scenario": "rate-limited"}
        )
        attempts.append({"status": status, "retry_after": headers.get("Retry-After")})
    return attempts


story = {**link(), **announce(), **settle(), **keep_alive(), "refused": refused(), "attempts": insist()}
print(json.dumps(story))
