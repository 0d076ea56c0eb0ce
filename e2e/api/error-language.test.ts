/** Texts of API errors: English without a language, else in the language of the account or of the request, from every service. */
import { createAccountByOperator, createTokenByOperator } from '@murmuration/contracts/accounts'
import { setSetting } from '@murmuration/contracts/admin'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { loadAll } from '../../bin/services.js'

let cluster: Cluster
/** Tokens by name. `anna` chose English, `dora` German, and `staff` is the owner of the server, in English. `app` has no account. */
const tokens: Record<string, string> = {}
const ids: Record<string, string> = {}

interface Asked {
  readonly token?: string | null
  readonly language?: string
  readonly body?: unknown
}
interface ErrorResponse {
  readonly status: number
  readonly language: string | null
  readonly headers: Headers
  readonly body: { error: string; error_description?: string; details?: unknown; code: string }
}

const sendRequest = async (
  method: string,
  path: string,
  { token, language, body }: Asked = {},
): Promise<ErrorResponse> => {
  const isForm = body instanceof FormData
  const response = await fetch(cluster.origin + path, {
    method,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(language && { 'accept-language': language }),
      ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
  })
  const { status, headers } = response
  return {
    status,
    headers,
    language: headers.get('content-language'),
    body: (await response.json()) as ErrorResponse['body'],
  }
}

const person = async (username: string, locale: string, more: { role?: string; scopes?: string } = {}) => {
  const { role, scopes = 'read write follow push' } = more
  const mail = { email: `${username}@mail.example`, confirmed: true }
  ids[username] = (await cluster.call(createAccountByOperator, { username, ...mail, ...(role && { role }) })).id
  if (locale !== 'en')
    await cluster.db('accounts').run(sql`update users set locale = ${locale} where account_id = ${ids[username]}`)
  tokens[username] = (await cluster.call(createTokenByOperator, { username, scopes })).token
}

beforeAll(async () => {
  cluster = await startCluster({ apps: await loadAll(), env: { RATE_LIMITS: 'off', MEDIA_FFMPEG: 'off' } })
  await person('anna', 'en')
  await person('dora', 'de')
  await person('staff', 'en', { role: 'Owner', scopes: 'read write admin:read admin:write' })
  await cluster.call(setSetting, { name: 'registrations_mode', value: 'open' })
  const made = await sendRequest('POST', '/api/v1/apps', {
    body: { client_name: 'app', redirect_uris: 'https://app.example/', scopes: 'read write' },
  })
  const { client_id, client_secret } = made.body as unknown as Record<string, string>
  const token = await sendRequest('POST', '/oauth/token', {
    body: { client_id, client_secret, grant_type: 'client_credentials', scope: 'read write' },
  })
  tokens.app = (token.body as unknown as { access_token: string }).access_token
})
afterAll(() => cluster?.stop())

const fileOf = (content: string, name: string): FormData => {
  const form = new FormData()
  form.append('file', new File([content], name))
  return form
}
const hours = (number: number) => number * 3_600

/** A request and its refusal. `who` is a token by its name, or null for none. */
type Row = readonly [
  who: string | null,
  request: string,
  body: () => unknown,
  status: number,
  english: string,
  german: string,
]
const nothing = () => undefined
const rows: Record<string, readonly Row[]> = {
  gateway: [
    [null, 'GET /api/v1/nothing', nothing, 404, 'Not Found', 'Nicht gefunden'],
    [null, 'GET /api/v1/timelines/home', nothing, 401, 'The access token is invalid', 'Der Zugangstoken ist ungültig'],
    [
      'app',
      'GET /api/v1/timelines/home',
      nothing,
      422,
      'This method requires an authenticated user',
      'Dafür musst du angemeldet sein',
    ],
    [
      'anna',
      'GET /api/v1/admin/reports',
      nothing,
      403,
      'This action is outside the authorized scopes',
      'Diese Aktion liegt außerhalb der erteilten Berechtigungen',
    ],
    [
      'anna',
      'POST /api/v1/statuses',
      () => [],
      400,
      'The body must be a JSON object',
      'Der Inhalt muss ein JSON-Objekt sein',
    ],
    [
      'anna',
      'POST /api/v1/featured_tags',
      () => ({}),
      400,
      'param is missing or the value is empty or invalid: name',
      'Ein Parameter fehlt, ist leer oder ungültig: name',
    ],
    [
      'anna',
      'POST /api/v1/statuses',
      () => ({ status: { a: 1 } }),
      422,
      'Validation failed: Status is invalid',
      'Prüfung fehlgeschlagen: Status ist ungültig',
    ],
    [
      'anna',
      'POST /api/v1/statuses',
      () => ({ status: 'a\0b' }),
      422,
      'Validation failed: Status contains a null character',
      'Prüfung fehlgeschlagen: Status enthält ein Nullzeichen',
    ],
  ],
  accounts: [
    [null, 'GET /api/v1/accounts/999', nothing, 404, 'Record not found', 'Nicht gefunden'],
    [
      'anna',
      'POST /api/v1/accounts/{self}/follow',
      nothing,
      403,
      'Following your own account is not allowed',
      'Du kannst deinem eigenen Konto nicht folgen',
    ],
    [
      'anna',
      'POST /api/v1/lists',
      () => ({ title: '' }),
      422,
      "Validation failed: Title can't be blank",
      'Prüfung fehlgeschlagen: Titel darf nicht leer sein',
    ],
    [
      null,
      'POST /api/v1/apps',
      () => ({ client_name: 'a'.repeat(70), redirect_uris: 'nowhere' }),
      422,
      'Validation failed: Application name is too long (maximum is 60 characters), Redirect URI must be an absolute URI.',
      'Prüfung fehlgeschlagen: Name der Anwendung ist zu lang (höchstens 60 Zeichen), Weiterleitungs-URI muss eine absolute URI sein.',
    ],
    [
      'anna',
      'PATCH /api/v1/accounts/update_credentials',
      () => ({ display_name: 'a'.repeat(41) }),
      422,
      'Validation failed: Display name is too long (maximum is 40 characters)',
      'Prüfung fehlgeschlagen: Anzeigename ist zu lang (höchstens 40 Zeichen)',
    ],
  ],
  statuses: [
    [
      'anna',
      'POST /api/v1/statuses',
      () => ({ status: '' }),
      422,
      "Validation failed: Text can't be blank",
      'Prüfung fehlgeschlagen: Text darf nicht leer sein',
    ],
    [
      'anna',
      'POST /api/v1/statuses',
      () => ({ status: 'a'.repeat(501) }),
      422,
      'Validation failed: Text character limit of 500 exceeded',
      'Prüfung fehlgeschlagen: Text ist länger als 500 Zeichen',
    ],
    [
      'anna',
      'POST /api/v1/statuses',
      () => ({ status: 'a', in_reply_to_id: '1' }),
      404,
      'The post you are trying to reply to does not appear to exist.',
      'Den Beitrag, auf den du antworten möchtest, gibt es anscheinend nicht.',
    ],
    [
      'anna',
      'POST /api/v1/statuses',
      () => ({ status: 'a', poll: { options: ['a', 'a'], expires_in: hours(9e9) } }),
      422,
      'Validation failed: Choices contain duplicate items, Deadline is too far into the future',
      'Prüfung fehlgeschlagen: Antwortmöglichkeiten enthalten Wiederholungen, Ende liegt zu weit in der Zukunft',
    ],
    ['anna', 'GET /api/v1/statuses/1', nothing, 404, 'Not Found', 'Nicht gefunden'],
    [
      'anna',
      'POST /api/v2/filters',
      () => ({ title: 'a' }),
      422,
      'Validation failed: Context None or invalid context supplied',
      'Prüfung fehlgeschlagen: Orte fehlen oder sind unbekannt',
    ],
    [
      null,
      'GET /api/v2/search?q=a&resolve=true',
      nothing,
      401,
      'Search queries that resolve remote resources are not supported without authentication',
      'Suchen, die Inhalte anderer Server laden, sind nur mit Anmeldung möglich',
    ],
  ],
  notifications: [
    [
      'anna',
      "GET /api/v2/notifications?expand_accounts=it's",
      nothing,
      400,
      "Invalid value for 'expand_accounts': 'it's', allowed values are 'full' and 'partial_avatars'",
      "Ungültiger Wert für „expand_accounts“: „it's“, erlaubt sind „full“ und „partial_avatars“",
    ],
    [
      'anna',
      'PATCH /api/v2/notifications/policy',
      () => ({ for_bots: 'never' }),
      422,
      'Validation failed: For bots is not included in the list',
      'Prüfung fehlgeschlagen: For bots steht nicht zur Auswahl',
    ],
    ['anna', 'GET /api/v1/notifications/1', nothing, 404, 'Record not found', 'Nicht gefunden'],
    [
      'anna',
      'POST /api/v1/push/subscription',
      () => ({}),
      400,
      'param is missing or the value is empty or invalid: subscription',
      'Ein Parameter fehlt, ist leer oder ungültig: subscription',
    ],
  ],
  media: [
    [
      'anna',
      'POST /api/v2/media',
      () => fileOf('no picture', 'a.txt'),
      422,
      'File type of uploaded media could not be verified',
      'Der Typ der Mediendatei konnte nicht erkannt werden',
    ],
    [
      'anna',
      'POST /api/v2/media',
      () => ({}),
      422,
      "Validation failed: File can't be blank",
      'Prüfung fehlgeschlagen: Datei darf nicht leer sein',
    ],
    ['anna', 'PUT /api/v1/media/1', () => ({ description: 'a' }), 404, 'Record not found', 'Nicht gefunden'],
  ],
  admin: [
    [
      'anna',
      'POST /api/v1/reports',
      () => ({ account_id: ids.dora, comment: 'a'.repeat(1_001) }),
      422,
      'Validation failed: Comment is too long (maximum is 1000 characters)',
      'Prüfung fehlgeschlagen: Kommentar ist zu lang (höchstens 1000 Zeichen)',
    ],
    [
      'staff',
      'POST /api/v1/admin/domain_blocks',
      () => ({ domain: 'a b' }),
      422,
      'Validation failed: Domain is not a valid domain name',
      'Prüfung fehlgeschlagen: Domain ist kein gültiger Domainname',
    ],
    [
      'staff',
      'GET /api/v2/admin/accounts?origin=moon',
      nothing,
      400,
      'Unknown origin: moon',
      'origin ist unbekannt: moon',
    ],
    [
      'staff',
      'POST /api/v1/admin/ip_blocks',
      () => ({ ip: 'a', severity: 'no_access' }),
      422,
      'Validation failed: Ip is invalid',
      'Prüfung fehlgeschlagen: IP-Adresse ist ungültig',
    ],
  ],
  federation: [
    [null, 'POST /inbox', () => ({}), 401, 'Request not signed', 'Die Anfrage ist nicht signiert'],
    [null, 'GET /users/nobody/followers', nothing, 404, 'Record not found', 'Nicht gefunden'],
  ],
  streaming: [
    [null, 'GET /api/v1/streaming/user', nothing, 401, 'Missing access token', 'Der Zugangstoken fehlt'],
    [null, 'GET /api/v1/streaming/nowhere', nothing, 400, 'Unknown channel requested', 'Der Kanal ist unbekannt'],
    [
      'anna',
      'GET /api/v1/streaming/hashtag',
      nothing,
      400,
      'Missing tag name parameter',
      'Der Parameter für den Hashtag fehlt',
    ],
  ],
}
const all = Object.entries(rows).flatMap(([service, of]) => of.map((row) => [service, row[1], row[4], row] as const))

/** Sends the request of a row as an account. */
const askAs = (who: string | null, [, request, body]: Row, language?: string, query = '') => {
  const [method = '', path = ''] = request.split(' ')
  const whole = path.replace('{self}', (who && ids[who]) || '') + (query && (path.includes('?') ? '&' : '?') + query)
  const given = body()
  return sendRequest(method, whole, {
    token: who && (tokens[who] ?? null),
    ...(language && { language }),
    ...(given !== undefined && { body: given }),
  })
}

test.each(all)('%s: %s is refused in English and in German: %s', async (_service, _request, _english, row) => {
  const [who, , , status, english, german] = row
  const inEnglish = await askAs(who, row)
  expect([inEnglish.status, inEnglish.body.error, inEnglish.language]).toEqual([status, english, 'en'])
  expect(inEnglish.headers.get('cache-control')).toBe('private, no-store')
  const inGerman = await askAs(who, row, 'de-AT, en;q=0.5', who === null || who === 'app' ? '' : 'lang=de')
  expect([inGerman.status, inGerman.body.error, inGerman.language]).toEqual([status, german, 'de'])
  expect(inGerman.body.code).toBe(inEnglish.body.code)
})

test.each(all.filter(([, , , [who]]) => who === 'anna'))(
  '%s: %s is refused in the language of the account, whatever the header says',
  async (_service, _request, _english, row) => {
    const [, , , status, english, german] = row
    const [dora, anna] = await Promise.all([askAs('dora', row, 'en'), askAs('anna', row, 'de')])
    // The report of the account about itself is another refusal.
    if (row[1].endsWith('/reports')) return
    expect([dora.status, dora.body.error, dora.language]).toEqual([status, german, 'de'])
    expect([anna.status, anna.body.error, anna.language]).toEqual([status, english, 'en'])
  },
)

test('a sign-up is refused with details in the language of the request', async () => {
  const body = { username: 'a b', email: '', password: 'short', agreement: false }
  await vi.waitFor(
    async () =>
      expect((await sendRequest('POST', '/api/v1/accounts', { token: tokens.app ?? '', body })).status).toBe(422),
    { timeout: 30_000 },
  )
  const english = await sendRequest('POST', '/api/v1/accounts', { token: tokens.app ?? '', body })
  expect(english.body).toMatchObject({
    error:
      "Validation failed: Username must contain only letters, numbers and underscores, Email can't be blank, Email is invalid, Password is too short (minimum is 8 characters), Agreement must be accepted",
    details: {
      username: [{ error: 'ERR_INVALID', description: 'must contain only letters, numbers and underscores' }],
      email: [
        { error: 'ERR_BLANK', description: "can't be blank" },
        { error: 'ERR_INVALID', description: 'is invalid' },
      ],
      password: [{ error: 'ERR_TOO_SHORT', description: 'is too short (minimum is 8 characters)' }],
      agreement: [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }],
    },
  })
  const german = await sendRequest('POST', '/api/v1/accounts', {
    token: tokens.app ?? '',
    body,
    language: 'fr, de;q=0.8, en;q=0.1',
  })
  expect(german.body).toMatchObject({
    error:
      'Prüfung fehlgeschlagen: Benutzername darf nur Buchstaben, Ziffern und Unterstriche enthalten, E-Mail-Adresse darf nicht leer sein, E-Mail-Adresse ist ungültig, Passwort ist zu kurz (mindestens 8 Zeichen), Zustimmung ist nötig',
    details: {
      username: [{ error: 'ERR_INVALID', description: 'darf nur Buchstaben, Ziffern und Unterstriche enthalten' }],
      password: [{ error: 'ERR_TOO_SHORT', description: 'ist zu kurz (mindestens 8 Zeichen)' }],
    },
  })
})

test('an OAuth error keeps its code and translates its description', async () => {
  const english = await sendRequest('POST', '/oauth/token', { body: {} })
  expect(english.body).toMatchObject({
    error: 'invalid_request',
    error_description: 'Missing required parameter: grant_type.',
  })
  const german = await sendRequest('POST', '/oauth/token', { body: {}, language: 'de' })
  expect([german.status, german.body.error]).toEqual([english.status, 'invalid_request'])
  expect(german.body.error_description).toBe('Der erforderliche Parameter fehlt: grant_type.')
})

test('the error object of a collection is translated too', async () => {
  const refused = await sendRequest('POST', '/api/v1_alpha/collections', {
    token: tokens.dora ?? '',
    body: { name: '' },
  })
  expect(refused.body.error).toMatchObject({
    error: 'Prüfung fehlgeschlagen: Name darf nicht leer sein',
    details: { name: [{ error: 'ERR_BLANK', description: 'darf nicht leer sein' }] },
  })
})

test('a text of the caller in an error is not translated', async () => {
  const { body } = await sendRequest('GET', '/api/v2/admin/accounts?origin=M%C3%B6nd%20Forbidden&lang=de', {
    token: tokens.staff ?? '',
  })
  expect(body.error).toBe('origin ist unbekannt: Mönd Forbidden')
})
