// Traces contain no secrets and no texts of accounts: a table of hidden and visible values.
import { expect, test } from 'vitest'
import { redactAttributes, redactName, redactPath, redactQuery, redactSql, redactUrl } from './redact.js'

test.each([
  ['limit=20&max_id=110000000000000001', 'limit=20&max_id=110000000000000001'],
  ['?access_token=abc&stream=user:notification', 'access_token=***&stream=user:notification'],
  ['code=abc&state=def&client_secret=g', 'code=***&state=***&client_secret=***'],
  ['q=private+words&resolve=true', 'q=***&resolve=true'],
  ['limit=alice@remote.example', 'limit=***'],
  ['loose-token', '***'],
  ['', ''],
])('query %s', (query, expected) => expect(redactQuery(query)).toBe(expected))

test.each([
  ['/api/v1/statuses/110000000000000001/context', '/api/v1/statuses/110000000000000001/context'],
  ['/@alice', '/@alice'],
  ['/users/alice/inbox?x=1', '/users/alice/inbox'],
  ['/invite/AbCdEfGh', '/invite/***'],
  ['/api/web/push_subscriptions/short', '/api/web/push_subscriptions/***'],
  ['/push/gAAAAABn0Zx4hQ2mZK0vS1aXb2cYd3e', '/push/***'],
  ['/a%20b/with space', '/a%20b/***'],
])('path %s', (path, expected) => expect(redactPath(path)).toBe(expected))

test.each([
  ['https://remote.example/inbox', 'https://remote.example/inbox'],
  ['https://user:pw@s3.example:9000/b/k?X-Amz-Signature=abc#f', 'https://s3.example:9000/b/k?X-Amz-Signature=***'],
  ['not a url', '***'],
])('url %s', (url, expected) => expect(redactUrl(url)).toBe(expected))

test.each([
  ['select id\n from t where a = $1 limit 20', 'select id from t where a = $1 limit ?'],
  ["insert into t1 (a) values ('it''s secret')", 'insert into t1 (a) values (?)'],
  ["select e'it\\'s secret', $$secret$$, $q$ secret $q$", 'select ?, ?, ?'],
  ['select 1 -- secret\n, /* secret */ 2.5', 'select ? , ?'],
  ["select 'never closed secret", 'select ?'],
  ['select "Column1" from x where id = any($12::bigint[])', 'select "Column1" from x where id = any($12::bigint[])'],
])('sql %s', (sql, expected) => expect(redactSql(sql)).toBe(expected))

test('attributes with names of secrets are left out, and others stay', () => {
  const kept = {
    'server.address': 'remote.example',
    'http.response.status_code': 202,
    'http.route': '/api/v1/statuses/:id',
    'messaging.destination.name': 'evt.statuses.status.created',
    'murmuration.author_id': '110000000000000001',
    'rpc.method': 'accounts.card.get',
    'error.type': '23505',
  }
  const hidden = {
    authorization: 'x',
    'http.request.header.cookie': ['a=b'],
    'user_agent.original': 'app',
    'client.address': '198.51.100.1',
    'network.peer.port': 1,
    'db.postgresql.values': ['x'],
    'db.user': 'statuses',
    'exception.message': 'x',
    'exception.stacktrace': 'x',
    'oauth.code': 'x',
    'account.email': 'x',
    'status.content': 'x',
    'push.auth': 'x',
  }
  expect(redactAttributes({ ...kept, ...hidden })).toEqual(kept)
})

test('credentials and addresses are hidden in all attributes, and long values are cut', () => {
  expect(
    redactAttributes({ a: 'Bearer abc', b: ['ok', 'carol@remote.example'], c: 'x'.repeat(1_000), d: 'vapid t=a,k=b' }),
  ).toEqual({ a: '***', b: ['ok', '***'], c: 'x'.repeat(256), d: '***' })
})

test('names keep the operation only', () => {
  expect(redactName('pg.query:SELECT murmuration')).toBe('pg.query:SELECT')
  expect(redactName("pg.query:SELECT'SECRET' db")).toBe('pg.query:SELECT')
  expect(redactName('rpc.accounts.card.get')).toBe('rpc.accounts.card.get')
  expect(redactName("lookup 'secret'")).toBe('lookup ***')
})
