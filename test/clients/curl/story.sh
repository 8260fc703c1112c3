#!/usr/bin/env bash
# Tells the partner's story with curl, and prints it as JSON. Node only takes answers apart, as jq would.
# Usage: story.sh URL KEY
set -euo pipefail
base=$1 key=$2

call() { curl -sS -u "$key:" -H 'content-type: application/json' "$@"; }
# It must go well, or the script ends.
well() { call --fail-with-body "$@"; }
# The status after the body, on a line of its own.
any() { call -w '\n%{http_code}' "$@"; }
# What an expression says of the JSON on standard input: `pick 'it.id'`.
pick() { node -e 'const it = JSON.parse(require("fs").readFileSync(0, "utf8")); const value = eval(`(${process.argv[1]})`); console.log(typeof value === "string" ? value : JSON.stringify(value))' "$1"; }
# The same of a body with its status.
pick_any() { node -e 'const [, body, code] = /^(.*)\n(\d+)$/s.exec(require("fs").readFileSync(0, "utf8")); const it = JSON.parse(body), status = Number(code); console.log(JSON.stringify(eval(`(${process.argv[1]})`)))' "$1"; }

partner_id='crm/4711 &+%'
linked=$(well "$base/v2/customers/cus_ben/link" -d "{\"partner_customer_id\":\"$partner_id\"}" | pick '({ id: it.customer_id, partner_customer_id: it.partner_customer_id })')
found=$(well -G "$base/v2/customers" --data-urlencode "partner_customer_id=$partner_id" | pick 'it.data.map((row) => row.id)')

created=$(well "$base/v2/transaction_intents" -d '{"customer_id":"cus_ada","amount":1250,"currency":"USD","merchant_name":"Corner Bistro"}')
intent=$(pick '({ amount: it.amount, currency: it.currency, status: it.status })' <<<"$created")
read=$(well "$base/v2/transaction_intents/$(pick it.id <<<"$created")")
read_back=$([[ $read == "$created" ]] && echo true || echo false)

balance() { well "$base/v2/customers/cus_ada/rewards_balance" | pick it.reward_balance; }
before=$(balance)
settled=$(well -X PATCH "$base/v2/rewards/rwd_ada_pending" -d '{"status":"AVAILABLE"}' | pick '({ id: it.id, status: it.status })')
balances="[$before,$(balance)]"

# Page by page: where the next one starts is a token in one list, and the id of the last row in the other.
walk() {
  local path=$1 id=$2 following=$3 start=() pages=() page more=true next rows all=()
  while [[ $more == true ]]; do
    page=$(well -G "$base$path" -d limit=10 "${start[@]}" | pick "[it.has_more, it.has_more ? $following : '-', ...it.data.map((row) => row.$id)].join(' ')")
    read -r more next rows <<<"$page"
    all+=($rows)
    pages+=("$(wc -w <<<"$rows")")
    start=(--data-urlencode "starting_after=$next")
  done
  printf '{"pages":[%s],"different":%d}' "$(IFS=,; echo "${pages[*]}")" "$(printf '%s\n' "${all[@]}" | sort -u | wc -l)"
}
statements=$(walk /v2/customers/cus_ada/accounts/acct_ada/statements statement_id it.next_page_token)
customers=$(walk /v2/customers id 'it.data.at(-1).id')

a=$(any -X PATCH "$base/v2/rewards/rwd_ada_deducted" -d '{}' | pick_any '({ status, details: it.details })')
b=$(any "$base/v2/customers" -H 'x-service-version: 2024-01-01' | pick_any '({ status, type: it.error.type })')
c=$(any "$base/v2/transaction_intents/int_nobody" | pick_any '({ status, type: it.type, param: it.param })')

# Three calls on one connection. A partner would wait as long as Retry-After says: curl does with --retry 2.
limited="$base/v2/rewards/rewards_categories"
heads=$(call -H 'x-sandbox-scenario: rate-limited' -D - -o /dev/null -o /dev/null -o /dev/null "$limited" "$limited" "$limited")
attempts=$(node -e '
  const heads = process.argv[1].split(/(?=^HTTP\/1.1 )/m)
  const valueOf = (head, name) => new RegExp(`^${name}: (.*?)\\r?$`, "im").exec(head)?.[1] ?? null
  console.log(JSON.stringify(heads.map((head) => ({ status: Number(head.split(" ")[1]), retry_after: valueOf(head, "retry-after") }))))
' "$heads")

cat <<JSON
{"linked":$linked,"found":$found,"intent":$intent,"read_back":$read_back,"balances":$balances,"settled":$settled,
 "statements":$statements,"customers":$customers,"refused":{"a":$a,"b":$b,"c":$c},"attempts":$attempts}
JSON
