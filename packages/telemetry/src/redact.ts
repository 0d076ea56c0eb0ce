/** Redaction of traces: pure functions that remove secrets and private text from names and values. */
import type { Attributes, AttributeValue } from '@opentelemetry/api'

const HIDDEN = '***'
const MAX_VALUE = 256
const MAX_SQL = 2_048

/**
 * Names of query parameters whose values are shown in traces: numbers and switches of this API. All other values are
 * hidden.
 */
const openParameters = new Set(
  'limit max_id min_id since_id offset page local remote only_media resolve stream type grant_type response_type'.split(
    ' ',
  ),
)

/** Path segments after which the next segment is a secret. */
const beforeSecret = new Set(
  'invite confirm confirmation reset password unsubscribe push_subscriptions verify'.split(' '),
)

/** Hides values of unknown parameters: `limit=20&code=abc` → `limit=20&code=***`. */
export const redactQuery = (query: string): string => {
  const bare = query.startsWith('?') ? query.slice(1) : query
  if (bare === '') return ''
  return bare
    .slice(0, MAX_SQL)
    .split('&')
    .map((pair) => {
      const at = pair.indexOf('=')
      const name = (at < 0 ? pair : pair.slice(0, at)).slice(0, 64)
      const value = at < 0 ? '' : pair.slice(at + 1)
      if (at < 0) return openParameters.has(name) ? name : HIDDEN
      return openParameters.has(name) && /^[\w:.-]{0,40}$/.test(value) ? `${name}=${value}` : `${name}=${HIDDEN}`
    })
    .join('&')
}

/**
 * Hides path segments that look like tokens, and the segment after each of `beforeSecret`. All other segments stay:
 * ids, and fixed words of the path such as `accounts`.
 */
export const redactPath = (path: string): string =>
  path
    .slice(0, MAX_SQL)
    .split('?', 1)[0]!
    .split('/')
    .map((segment, index, all) => {
      const plain = /^\d*$/.test(segment) || (segment.length <= 24 && /^[\w.~%:@-]+$/.test(segment))
      return plain && !(segment !== '' && beforeSecret.has(all[index - 1] ?? '')) ? segment : segment && HIDDEN
    })
    .join('/')

/** Scheme, host and a redacted path and query; user info and fragment are dropped. Text that is not a URL is replaced. */
export const redactUrl = (text: string): string => {
  const url = URL.parse(text)
  if (!url) return HIDDEN
  const query = redactQuery(url.search)
  return `${url.protocol}//${url.host}${redactPath(url.pathname)}${query && `?${query}`}`
}

const literals =
  /\/\*[\s\S]*?(?:\*\/|$)|--[^\n]*|\be'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([a-z_]*)\$[\s\S]*?(?:\$\1\$|$)|(?<![\w$".])\d[\d.]*(?![\w"])/gi

/** SQL on one line with placeholders, without literals and comments. */
export const redactSql = (sql: string): string =>
  sql
    .slice(0, MAX_SQL)
    .replace(literals, (found) => (found.startsWith('--') || found.startsWith('/*') ? ' ' : '?'))
    .replace(/\s+/g, ' ')
    .trim()

/** A span name without quoted text, addresses and long text. */
export const redactName = (name: string): string => {
  const query = /^pg\.query:(\w+)/.exec(name)
  if (query) return `pg.query:${query[1]!.slice(0, 40)}`
  return redactText(name.replace(/['"][\s\S]*/, HIDDEN))
}

const rewritten: Record<string, (value: string) => string> = {
  'url.full': redactUrl,
  'http.url': redactUrl,
  'url.path': redactPath,
  'http.target': redactPath,
  'url.query': redactQuery,
  'db.query.text': redactSql,
  'db.statement': redactSql,
}

const openNames = new Set(['server.address', 'http.response.status_code', 'error.code'])
const secretName =
  /auth(?!or(?![a-z]))|bearer|cookie|token|secret|passw|otp\b|verifier|signature|e_?mail|header|user_?agent|address|\bpeer\b|\bip\b|values?$|arg(ument)?s|param|body|payload|stacktrace|connection_string|(^|[._])(content|text|message|user|code|acct)$/i

/** Attributes that may be exported. Attributes whose name indicates a secret or private text are left out. */
export const redactAttributes = (attributes: Attributes): Attributes => {
  const safe: Attributes = {}
  for (const [name, value] of Object.entries(attributes)) {
    const rewrite = rewritten[name]
    if (rewrite) safe[name] = typeof value === 'string' ? rewrite(value) : HIDDEN
    else if (openNames.has(name) || !secretName.test(name)) safe[name] = redactValue(value)
  }
  return safe
}

const redactValue = (value: AttributeValue | undefined): AttributeValue | undefined => {
  if (typeof value === 'string') return redactText(value)
  if (Array.isArray(value))
    return value.slice(0, 32).map((one) => (typeof one === 'string' ? redactText(one) : one)) as AttributeValue
  return value
}

/** Hides values with a credential or an e-mail address, and truncates long values. */
const redactText = (text: string): string => {
  const short = text.slice(0, MAX_VALUE)
  if (/\b(bearer|basic|webpush|vapid)\s+\S/i.test(short) || /[^\s@/]+@[^\s@/]+\.[a-z]/i.test(short)) return HIDDEN
  return short
}
