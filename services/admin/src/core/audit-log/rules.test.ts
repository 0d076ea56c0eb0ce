/** The hash chain of the audit log: each changed, removed or exchanged entry is detected. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ChainedRow, entryOf, verifyChain } from './rules.js'

const START = { seq: '0', hash: '' }

const chainOf = (count: number) => {
  let hash: Buffer = Buffer.alloc(0)
  return Array.from({ length: count }, (_, n) => {
    const row = {
      id: String(n + 100),
      actor_id: n % 2 ? '7' : null,
      action: 'create_domain_block' as const,
      target_id: String(n),
      target: `bad${n}.example`,
      before: null,
      after: { severity: 'suspend', comment: 'ö' },
      created_at: new Date(1_700_000_000_000 + n),
      reason: n === 3 ? 'Spam' : null,
      batch_id: null,
      undoes: null,
    }
    const entry = entryOf(row)
    hash = createHash('sha256').update(hash).update(entry).digest()
    return { ...row, seq: String(n + 1), entry, hash }
  })
}

test('a chain is intact, from the start and from any entry', () => {
  const rows = chainOf(5)
  const { end, problem } = verifyChain(START, rows)
  expect([end, problem]).toEqual([{ seq: '5', hash: rows[4]?.hash.toString('hex') }, null])
  const part = verifyChain(verifyChain(START, rows.slice(0, 2)).end, rows.slice(2))
  expect(part).toEqual({ end, problem: null })
  expect(verifyChain(START, [])).toEqual({ end: START, problem: null })
})

const changed = (change: (rows: ChainedRow[]) => ChainedRow[]) => {
  const { end, problem } = verifyChain(START, change(chainOf(5)))
  return [end.seq, problem?.seq, problem?.reason]
}

test.each<[string, (rows: ChainedRow[]) => ChainedRow[], [string, string, string]]>([
  ['a removed entry', (rows) => rows.toSpliced(2, 1), ['2', '3', 'missing']],
  ['a changed column', (rows) => rows.with(1, { ...rows[1]!, actor_id: '8' }), ['1', '2', 'changed']],
  ['a changed text', (rows) => rows.with(1, { ...rows[1]!, entry: rows[0]!.entry }), ['1', '2', 'changed']],
  ['a text that is no JSON', (rows) => rows.with(1, { ...rows[1]!, entry: '{' }), ['1', '2', 'changed']],
  ['an exchanged hash', (rows) => rows.with(3, { ...rows[3]!, hash: rows[2]!.hash }), ['3', '4', 'changed']],
  ['a removed text', (rows) => rows.with(1, { ...rows[1]!, entry: null }), ['1', '2', 'changed']],
  ['a removed hash', (rows) => rows.with(3, { ...rows[3]!, hash: null }), ['3', '4', 'changed']],
  [
    'two exchanged entries',
    (rows) => rows.with(1, { ...rows[2]!, seq: '2' }).with(2, { ...rows[1]!, seq: '3' }),
    ['1', '2', 'changed'],
  ],
])('%s is found', (_name, change, found) => {
  expect(changed(change)).toEqual(found)
})
