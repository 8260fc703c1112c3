// The meaning of headers and fields by their names, as far as a name shows it.

/** Headers of HTTP, of proxies and of tracing: no part of a description, even if they begin with `x-`. */
const transport =
  /^(?::.*|host|connection|keep-alive|content-(?:length|type|encoding|language|location|md5|digest)|transfer-encoding|te|trailer|upgrade.*|user-agent|accept.*|cache-control|pragma|date|via|forwarded|from|origin|referer|expect|priority|dnt|sec-.*|x-forwarded-.*|x-real-ip|true-client-ip|x-client-ip|x-request-id|x-correlation-id|x-amzn?-.*|cf-.*|cdn-loop|x-envoy-.*|x-cloud-trace-context|x-vercel-.*|fly-.*|ngrok-.*|traceparent|tracestate|baggage|b3|x-b3-.*|x-datadog-.*|sentry-trace|newrelic)$/

/** Whether a header belongs to the transport of a request. */
export const isTransport = (header: string): boolean => transport.test(header)

/** Whether the name of a header or of a field shows that its value is secret. */
export const isSecretName = (name: string): boolean =>
  /authorization|(?:^|[-_])auth$|cookie|token|secret|passw|api[-_]?key|credential/i.test(name)

/** Whether a header is likely the id of an event or of its message. */
export const isIdHeader = (header: string): boolean =>
  /(?:^|-)(?:id|uuid|guid|delivery|message)$/.test(header) &&
  !/request|trace|correlation|account|client|app|user|customer|tenant|org|session|subscription|endpoint|merchant|(?:^|-)hook-/.test(
    header,
  )

/** Whether a header is likely the type of an event. */
export const isTypeHeader = (header: string): boolean =>
  /(?:^|-)(?:event|topic|type|event-name)$/.test(header)

/** Whether a field is likely the id of an event, at the top of a body or in its envelope. */
export const isIdField = (key: string): boolean =>
  /^(?:id|uuid|(?:event|message|webhook|delivery|notification)_?id)$/i.test(key)

/** Whether a field is likely the type of an event. */
export const isTypeField = (key: string): boolean => /^(?:type|event|topic|event_?(?:type|name))$/i.test(key)

/** Whether a header, a field, or the name of a part such as `t` in `t=1`, is likely a time. */
export const isTimeName = (name: string): boolean =>
  /time|date|stamp|created|occurred|sent|^ts?$|[_-](?:ts?|at)$|[a-z]At$/i.test(name)

/** Whether a field is likely the state before the change. */
export const isPreviousField = (key: string): boolean => /prev|before|old|prior/i.test(key)

/** Whether an object is likely the envelope of an event, whose fields are those of the event. */
export const isEnvelope = (key: string): boolean =>
  /^(?:event|meta|metadata|headers?|envelope|notification|message)$/i.test(key)

/** Whether an object is likely the resource of an event, whatever its type. */
export const isResourceField = (key: string): boolean =>
  /^(?:data|object|resource|payload|entity|record)$/i.test(key)

/** Whether an id is so short that another value may be equal by chance. */
export const isShort = (id: string | undefined): boolean => (id ?? '').length < 12
