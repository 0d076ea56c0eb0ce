/** Pages of stored secrets that are encrypted again. */
import { expect, test } from 'vitest'
import { secretCipherFor } from './secret-cipher.js'
import { renewSecretPage, type SecretColumn, type StoredSecret } from './secret-renewal.js'

const [A, B] = ['a'.repeat(40), 'b'.repeat(40)]
const before = secretCipherFor({ secretKeyBase: A }, 'test')
const during = secretCipherFor({ secretKeyBase: B, secretKeyBasePrevious: A }, 'test')
const after = secretCipherFor({ secretKeyBase: B }, 'test')

/** A column in memory, with ids from -1. */
const columnOf = (name: string, count: number): SecretColumn & { rows: Map<number, string> } => {
  const rows = new Map(
    Array.from({ length: count }, (_, n) => [n - 1, before.encrypt(`${name} ${n - 1}`, String(n - 1))]),
  )
  return {
    rows,
    name,
    about: ({ id }) => id,
    page: async (position, limit): Promise<StoredSecret[]> =>
      [...rows]
        .filter(([id]) => position === '' || id > Number(position))
        .slice(0, limit)
        .map(([id, encrypted]) => ({ id: String(id), encrypted })),
    async replace(secrets) {
      for (const one of secrets) if (rows.get(Number(one.id)) === one.before) rows.set(Number(one.id), one.after)
    },
  }
}
/** Calls until the last page. Returns the sums, and the number of pages. */
const renewAll = async (columns: SecretColumn[], dryRun = false) => {
  const sums = { pages: 0, seen: 0, renewed: 0, unreadable: 0 }
  for (let position: string | null = ''; position !== null; ) {
    const page: Awaited<ReturnType<typeof renewSecretPage>> = await renewSecretPage(during, columns, {
      after: position,
      dryRun,
    })
    sums.pages++
    sums.seen += page.seen
    sums.renewed += page.renewed
    sums.unreadable += page.unreadable
    position = page.next
  }
  return sums
}

test('every secret of every column is encrypted again once, in pages of 500', async () => {
  const columns = [columnOf('one', 1_000), columnOf('none', 0), columnOf('two', 501)]
  columns[2]?.rows.set(3, 'v1.damaged')
  expect(await renewAll(columns, true)).toEqual({ pages: 6, seen: 1_501, renewed: 1_500, unreadable: 1 })
  expect(before.decrypt(columns[0]?.rows.get(-1) ?? '', '-1')).toBe('one -1')
  // An interrupted run has renewed one page. The next run begins again.
  await renewSecretPage(during, columns, { after: '', dryRun: false })
  expect(await renewAll(columns)).toEqual({ pages: 6, seen: 1_501, renewed: 1_000, unreadable: 1 })
  expect(await renewAll(columns)).toEqual({ pages: 6, seen: 1_501, renewed: 0, unreadable: 1 })
  for (const [id, text] of columns[0]?.rows ?? []) expect(after.decrypt(text, String(id))).toBe(`one ${id}`)
  await expect(renewSecretPage(during, columns, { after: 'other 3', dryRun: false })).rejects.toThrow('no column')
})

test('a secret that was replaced meanwhile stays', async () => {
  const column = columnOf('one', 1)
  const replaced = after.encrypt('fresh', '-1')
  const meanwhile: SecretColumn = {
    ...column,
    async replace(secrets) {
      column.rows.set(-1, replaced)
      await column.replace(secrets)
    },
  }
  await renewSecretPage(during, [meanwhile], { after: '', dryRun: false })
  expect(column.rows.get(-1)).toBe(replaced)
})

test('copies of one encrypted text stay equal, and two texts never have one initialisation vector', () => {
  const [first, second] = [before.encrypt('secret', '1'), before.encrypt('secret', '1')]
  const renewed = [first, first, second].map((text) => during.renew(text, '1'))
  expect(renewed[0]).toEqual(renewed[1])
  expect(renewed[0]).not.toEqual(renewed[2])
})
