/** Commands for rules, blocks and the audit log, on a running service. */
import { app as admin } from '@murmuration/admin'
import { sql } from '@murmuration/db'
import { type Cluster, startCluster } from '@murmuration/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectOperator, type Operator } from '../control/operator.js'
import { dataOf, runWords, textOf } from './command-line.js'

let cluster: Cluster
let operator: Operator
beforeAll(async () => {
  cluster = await startCluster({ apps: [admin] })
  operator = await connectOperator({ ...process.env, ...cluster.env })
})
afterAll(async () => {
  await operator.close()
  await cluster.stop()
})

const ctl = (...words: string[]): Promise<string> => textOf(operator, ...words)
const made = async (...words: string[]): Promise<string> =>
  ((await dataOf(operator, 'rule', 'add', ...words)) as { id: string }).id
const listed = () => ctl('rule', 'list')
interface Entry {
  id: string
  actor: null
  action: string
  target: string
}
const logged = async (...words: string[]) => (await dataOf(operator, 'audit-log', 'list', ...words)) as Entry[]

test('rules are added, ordered, translated and removed, and each change is in the audit log', async () => {
  expect(await listed()).toBe('There are none.')
  const kind = await made('Be kind.', '--hint', 'To everybody')
  const spam = await made('No advertisements.')
  await ctl('rule', 'translate', kind, 'de', 'Sei nett.')
  await ctl('rule', 'translate', kind, 'fr', 'Soyez gentils.', '--hint', 'Envers tous')
  expect(await listed()).toBe(`${kind}  Be kind. (To everybody)  [de, fr]\n${spam}  No advertisements.`)
  await ctl('rule', 'change', kind, 'Be nice.', '--priority', '1000', '--hint', '')
  expect(await listed()).toBe(`${spam}  No advertisements.\n${kind}  Be nice.  [de, fr]`)
  expect(await ctl('rule', 'remove', spam, '--dry-run')).toBe(`Would remove: ${spam}  No advertisements.`)
  expect(await listed()).toContain('No advertisements.')
  await ctl('rule', 'remove', spam)
  expect(await listed()).toBe(`${kind}  Be nice.  [de, fr]`)

  await expect(ctl('rule', 'add', ' ')).rejects.toThrow("can't be blank")
  await expect(ctl('rule', 'change', kind, '--priority', 'first')).rejects.toThrow('priority')
  await expect(ctl('rule', 'translate', '1', 'de', 'x')).rejects.toThrow('There is no rule 1.')
  await expect(ctl('rule', 'remove', spam)).rejects.toThrow()
  await expect(ctl('rule', 'remove', spam, '--dry-run')).rejects.toThrow('There is nothing to remove.')

  const entries = await logged()
  expect(entries.map((one) => [one.actor, one.action]).reverse()).toEqual([
    [null, 'create_rule'],
    [null, 'create_rule'],
    ...Array.from({ length: 3 }, () => [null, 'update_rule']),
    [null, 'destroy_rule'],
  ])
  expect(await logged('--before', entries[1]?.id ?? '')).toEqual(entries.slice(2))
})

test('another text of a translation keeps its hint, and an empty hint removes it', async () => {
  const id = await made('Be calm.')
  const translated = async (...words: string[]) =>
    ((await dataOf(operator, 'rule', 'translate', id, 'fr', ...words)) as { translations: object }).translations
  await translated('Du calme.', '--hint', 'Toujours')
  expect(await translated('Restez calmes.')).toEqual({ fr: { text: 'Restez calmes.', hint: 'Toujours' } })
  expect(await translated('Restez calmes.', '--hint', '')).toEqual({ fr: { text: 'Restez calmes.', hint: '' } })
  await ctl('rule', 'remove', id)
})

test('blocks are listed, and a dry run of a removal has no effect', async () => {
  await ctl('ip-block', 'add', '192.0.2.7', '--severity', 'no_access', '--comment', 'robot')
  await ctl('email-block', 'add', 'Spam.example', '--allow-with-approval')
  await ctl('username-block', 'add', 'root', '--exact')
  await ctl('domain-block', 'add', 'bad.example', '--severity', 'suspend', '--reject-media', '--comment', 'Spam')
  await ctl('domain-block', 'add', 'bad.example', '--no-reject-media')
  expect(await ctl('domain-block', 'list')).toBe('bad.example  suspend  "Spam"')
  for (const [noun, word, line] of [
    ['ip-block', '192.0.2.7', '192.0.2.7'],
    ['email-block', 'spam.example', 'spam.example  (with approval)'],
    ['username-block', 'root', 'root'],
    ['domain-block', 'bad.example', 'bad.example  suspend'],
  ] as const) {
    expect(await ctl(noun, 'remove', word, '--dry-run')).toContain(`Would remove: ${line}`)
    expect(await ctl(noun, 'list')).toContain(line)
    expect(await ctl(noun, 'remove', word)).toBe('Removed.')
    expect(await ctl(noun, 'list')).toBe('There are none.')
    expect((await runWords(operator, noun, 'remove', word)).status).toBe(1)
  }
})

test.each([
  ['ip-block', ['192.0.2.0/24', '--severity', 'no_access'], ' 192.0.2.7/24', '192.0.2.0/24'],
  ['ip-block', ['2001:db8::/32', '--severity', 'no_access'], '2001:0DB8:1::/32', '2001:db8::/32'],
  ['ip-block', ['2001:db8::1', '--severity', 'no_access'], '2001:DB8:0::1', '2001:db8::1'],
  ['email-block', ['müller.example'], '@MÜLLER.example', 'xn--mller-kva.example'],
  ['email-address-block', ['al.ice@mail.example'], 'ALICE+x@Mail.example', ''],
  ['username-block', ['chief'], '@Chief', '*chief*'],
  ['domain-block', ['müller.example', '--severity', 'suspend'], 'MÜLLER.example.', 'xn--mller-kva.example  suspend'],
  ['domain-allow', ['müller.example'], 'MÜLLER.example:443', 'xn--mller-kva.example'],
])('a dry run of a removal finds the same rule as the removal: %s %j by %j', async (noun, added, word, line) => {
  await ctl(noun, 'add', ...added)
  expect(await ctl(noun, 'remove', word, '--dry-run')).toContain(`Would remove: ${line}`)
  expect(await ctl(noun, 'remove', word)).toBe('Removed.')
  expect((await runWords(operator, noun, 'remove', word, '--dry-run')).text).toBe('There is nothing to remove.')
})

test.each([
  ['ip-block', '192.0.2.8'],
  ['ip-block', '192.0.2.7/31'],
  ['ip-block', '::ffff:192.0.2.7'],
  ['ip-block', 'x'],
  ['domain-block', ''],
])('a dry run finds no rule for another name: %s %j', async (noun, word) => {
  await ctl('ip-block', 'add', '192.0.2.7', '--severity', 'no_access')
  const { status, text } = await runWords(operator, noun, 'remove', word, '--dry-run')
  await ctl('ip-block', 'remove', '192.0.2.7')
  expect([status, text]).toEqual([1, 'There is nothing to remove.'])
})

test('an action is shown with its states and undone once, and the undo is a separate entry', async () => {
  const id = await made('Undo me.')
  const [entry] = await logged()
  const entryId = entry?.id ?? ''
  expect(await ctl('audit', 'show', entryId)).toMatch(
    /create_rule {2}Undo me\.\nBefore: null\nAfter: .*\nIt can be undone\.$/,
  )
  expect(await ctl('audit-log', 'undo', entryId, '--reason', 'A mistake')).toContain('destroy_rule  Undo me.')
  expect(await listed()).not.toContain(id)
  expect(await ctl('audit-log', 'show', entryId)).toContain('It cannot be undone: This action is undone already.')
  expect((await runWords(operator, 'audit-log', 'undo', entryId)).status).toBe(1)
})

const verified = (...words: string[]) => runWords(operator, 'audit-log', 'verify', ...words)
const headIn = (text: string): string => / Head: (\S+)$/.exec(text)?.[1] ?? ''
const change = (statement: ReturnType<typeof sql>) => cluster.db('admin').run(statement)

test('the audit log is intact, is exported as JSON lines, and a changed, removed or rewritten entry is found', async () => {
  const before = await verified()
  expect(before).toMatchObject({
    status: 0,
    text: expect.stringMatching(/^\d+ entries are intact\. Head: \d+:[0-9a-f]{64}$/),
  })
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => ctl('username-block', 'add', name)))
  const { text } = await verified('--head', headIn(before.text))
  const lines = (await ctl('audit-log', 'export')).split('\n').map((one) => JSON.parse(one))
  const last = lines.at(-1)
  expect(headIn(text)).toBe(`${last.seq}:${last.hash}`)
  expect(lines.map((one) => one.seq)).toEqual(lines.map((_, n) => String(n + 1)))
  expect(JSON.parse(last.entry)).toMatchObject({ action: 'create_username_block', actor: null })

  const [second] = lines.slice(1)
  const id = JSON.parse(second.entry).id
  await change(sql`update audit_log set target = 'another' where id = ${id}::bigint`)
  expect(await verified()).toMatchObject({ status: 1, text: 'Entry 2 was changed after it was written.' })
  await change(sql`update audit_log set target = ${JSON.parse(second.entry).target} where id = ${id}::bigint`)
  expect((await verified()).status).toBe(0)
  expect((await verified('--head', '0:')).status).toBe(0)
  await change(
    sql`insert into audit_log (id, action, target, created_at, seq) values (77, 'create_rule', 'x', now(), -1)`,
  )
  expect(await verified()).toMatchObject({ status: 1, text: 'Entry with the id 77 was added without the chain.' })
  expect(JSON.parse((await verified('--json')).text)).toMatchObject({ problem: { id: '77', reason: 'added' } })
  await change(sql`delete from audit_log where id = 77`)
  const other = `${last.seq}:${'0'.repeat(64)}`
  expect(await verified('--head', other)).toMatchObject({ status: 1, text: expect.stringContaining('another hash') })
  await change(sql`delete from audit_log where seq = ${last.seq}::bigint`)
  expect(await verified()).toMatchObject({
    status: 1,
    text: `Entry ${last.seq} and those after it were removed.`,
  })
  await change(sql`delete from audit_log where seq = 2`)
  expect(await verified()).toMatchObject({ status: 1, text: 'Entry 2 was removed.' })
})

test('warning presets are added, changed and removed, and a dry run of a removal has no effect', async () => {
  const list = () => ctl('warning-preset', 'list')
  expect(await list()).toBe('There are none.')
  const added = (await dataOf(operator, 'warning-preset', 'add', 'No advertising.', '--title', 'Spam')) as {
    id: string
  }
  expect(await list()).toBe(`${added.id}  Spam: No advertising.`)
  await ctl('warning-preset', 'update', added.id, 'Please do not advertise.')
  await ctl('warning-preset', 'update', added.id, '--title', '')
  expect(await list()).toBe(`${added.id}  Please do not advertise.`)
  expect(await ctl('warning-preset', 'remove', added.id, '--dry-run')).toBe(
    `Would remove: ${added.id}  Please do not advertise.`,
  )
  expect(await ctl('warning-preset', 'remove', added.id)).toBe('Removed.')
  expect(await list()).toBe('There are none.')
  expect((await logged()).slice(0, 4).map((one) => one.action)).toEqual([
    'destroy_warning_preset',
    'update_warning_preset',
    'update_warning_preset',
    'create_warning_preset',
  ])
})
