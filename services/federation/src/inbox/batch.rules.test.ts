/** Decisions about deliveries of one batch that share a key. */
import { expect, test } from 'vitest'
import { decideBatch, firstOfKeys, type KeyedDelivery } from './batch.rules.js'

let counter = 0
const delivery = (more: Partial<KeyedDelivery>): KeyedDelivery => ({
  ...{ id: String(++counter), key: 'x', type: 'Like', actor: 'rita', ownerId: null, digest: 'a', hasId: true },
  ...{ signedAt: 1, undoes: null },
  ...more,
})
const empty = { now: 100, activities: new Map(), undos: new Map() }
const undo = (more: Partial<KeyedDelivery> = {}) =>
  delivery({ type: 'Undo', digest: 'b', signedAt: 2, undoes: 'y', ...more })

test.each([
  ['a Like before an Undo', [delivery({}), undo()]],
  ['a Like after an Undo', [delivery({ signedAt: 3 }), undo()]],
  ['a Like of the same time as an Undo', [delivery({ signedAt: 2 }), undo()]],
  ['two Undos and a Like between them', [undo({ signedAt: 1 }), delivery({ signedAt: 2 }), undo({ signedAt: 3 })]],
  ['an Undo of itself', [delivery({}), undo({ undoes: 'x' })]],
  ['an Undo without a target', [undo({ undoes: null, signedAt: 1 }), undo({ signedAt: 5 }), delivery({ signedAt: 3 })]],
])('%s under one new key: the delivery that is decided first is the inserted one', (_name, deliveries) => {
  for (const batch of [deliveries, deliveries.toReversed()]) {
    const first = firstOfKeys(batch)
    expect(first).toHaveLength(1)
    const decision = decideBatch(empty, batch, new Set(first))
    expect(decision.insert).toEqual([])
    expect(decision.queued.get(first[0] as KeyedDelivery)).toBe(first[0]?.id)
  }
})

test('a Like and an Undo under one key: the Undo is recorded, and the Like signed before it has no effect', () => {
  const [like, undone] = [delivery({}), undo()]
  const { undos, queued } = decideBatch(empty, [like, undone], new Set(firstOfKeys([like, undone])))
  expect(undos).toEqual([{ key: 'y', actor: 'rita', signedAt: 2, undoId: undone.id, late: false }])
  expect([...queued.values()]).toEqual([undone.id])
})
