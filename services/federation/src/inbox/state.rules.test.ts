/** State machine of received activities: for each row of the table, examples that this row must decide. */
import { describe, expect, test } from 'vitest'
import { ruleFor, TRANSITIONS } from './state.rules.js'
import type { Delivery, StoredActivity, StoredObject, StoredUndo } from './state-input.rules.js'

const HOUR = 3_600_000_000
/** Seconds after the year 2026 began, in microseconds. */
const at = (seconds: number) => (Date.UTC(2026, 0, 1) / 1_000 + seconds) * 1_000_000
const stored = (more: Partial<StoredActivity> = {}): StoredActivity => ({
  ...{ id: '1', type: 'Like', actor: 'rita', ownerId: null, digest: 'a', outcome: null, again: false },
  ...{ signedAt: at(1), receivedAt: at(2), closedAt: null },
  ...more,
})
const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  ...{ type: 'Like', actor: 'rita', ownerId: null, digest: 'a', signedAt: at(1), hasId: true },
  ...more,
})
const undo = (more: Partial<StoredUndo> = {}): StoredUndo => ({
  ...{ signedAt: at(5), at: at(6), waits: false, late: false },
  ...more,
})
const object = (more: Partial<StoredObject> = {}): StoredObject => ({
  ...{ signedAt: at(5), ended: false, holder: null, heldUntil: null },
  ...more,
})
const given = (
  activity: Partial<StoredActivity> | null,
  brings: Partial<Delivery> = {},
  undone: Partial<StoredUndo> | null = null,
) => ({
  stored: activity && stored(activity),
  delivery: delivery(brings),
  undo: undone && undo(undone),
  now: at(100),
})
const done = { outcome: 'done', closedAt: at(3) } as const
const ignored = { outcome: 'ignored', closedAt: at(3) } as const
const another = { digest: 'b', signedAt: at(9) }

type Event = keyof typeof TRANSITIONS
type Input<E extends Event> = Parameters<typeof ruleFor<E>>[1]
type Examples = { [E in Event]: Record<string, readonly Input<E>[]> }

const examples: Examples = {
  delivery: {
    'a new activity is stored': [given(null)],
    'an activity without effect is replaced': [given(ignored), given({ ...ignored, outcome: 'refused' })],
    'a waiting activity is replaced for another inbox': [given({}, { ownerId: '2' })],
    'a processed activity is replaced for another inbox if its actor signed it': [given(done, { ownerId: '2' })],
    'a processed activity is replaced by a redelivery signed later': [
      given(done, { signedAt: at(2) }),
      given(done, another, {}),
      given({ ...done, signedAt: null }, { signedAt: at(3) }),
    ],
    'a waiting activity is replaced by a redelivery signed after its Undo': [
      given({}, { signedAt: at(5) }, {}),
      given({ receivedAt: at(6), signedAt: at(5) }, { digest: 'b', signedAt: at(5) }, {}),
    ],
    'an Update is replaced by other bytes signed no earlier': [
      given(done, { type: 'Update', digest: 'b' }),
      given({}, { type: 'Update', digest: 'b' }),
    ],
    'an activity is replaced by a Delete under its id, signed no earlier': [
      given({ ...done, type: 'Create' }, { type: 'Delete', digest: 'b' }),
      given({ type: 'Create' }, { type: 'Delete', digest: 'b' }),
    ],
    'a repetition of the same bytes renews the time of the signature': [
      given({}, { signedAt: at(2) }),
      given(done, { type: 'Create', signedAt: at(2) }),
      given(done, { signedAt: at(3) }, {}),
    ],
    'any other redelivery is ignored': [
      given({}),
      given(done),
      given(done, { signedAt: null, ownerId: '2' }),
      given(done, { signedAt: at(0), digest: 'b' }),
      given(done, { signedAt: at(2), actor: 'eve', type: 'Create' }),
      given({}, { digest: 'b', signedAt: at(9) }, { signedAt: null }),
      given({ ...done, digest: null, signedAt: at(9) }, { signedAt: at(8) }),
    ],
  },
  replacement: {
    'a redelivery of a processed activity is sent again': [given(done, another)],
    'a redelivery of an activity sent again is sent again': [given({ again: true }, { ownerId: '2' })],
    'other bytes are sent again, although the first had no effect': [given(ignored, another)],
    'the same bytes are sent again six hours after the first had no effect': [
      given({ ...ignored, closedAt: at(100) - 6 * HOUR - 1 }),
    ],
    'the same bytes are sent again if the Undo was signed between them': [
      given({}, { signedAt: at(5) }, {}),
      given(ignored, { signedAt: at(6) }, {}),
    ],
    'any other replacement is a late first delivery': [
      given({ ...ignored, closedAt: at(100) - 6 * HOUR }),
      given({ ...ignored, outcome: 'refused' }, another),
      given(ignored, { ...another, actor: 'eve' }),
      given(ignored, { digest: 'b', signedAt: null }),
    ],
  },
  undoDelivery: {
    'an Undo of a processed activity is recorded as late': [
      { isStored: true, actor: 'rita', signedAt: at(5), target: stored(done), undo: null },
    ],
    'an Undo of an unknown or waiting activity is recorded': [
      { isStored: true, actor: 'rita', signedAt: at(5), target: null, undo: null },
      { isStored: true, actor: 'rita', signedAt: null, target: stored(), undo: undo() },
      { isStored: true, actor: 'eve', signedAt: at(5), target: stored(done), undo: null },
    ],
    'a redelivery of a waiting Undo renews the time of its signature': [
      { isStored: false, actor: 'rita', signedAt: at(6), target: null, undo: undo({ waits: true }) },
    ],
    'any other redelivery of an Undo is ignored': [
      { isStored: false, actor: 'rita', signedAt: at(6), target: null, undo: undo() },
      { isStored: false, actor: 'rita', signedAt: at(5), target: null, undo: undo({ waits: true }) },
      { isStored: false, actor: 'rita', signedAt: null, target: null, undo: undo({ waits: true }) },
      { isStored: false, actor: 'rita', signedAt: at(6), target: null, undo: null },
    ],
  },
  activity: {
    'an activity without Undo is not undone': [{ stored: stored(), undo: null, now: at(100) }],
    'an activity passed on by another server is undone': [
      { stored: stored({ signedAt: null }), undo: undo({ late: true }), now: at(100) },
    ],
    'an activity signed before its Undo is undone': [{ stored: stored({ again: true }), undo: undo(), now: at(100) }],
    'an activity sent again waits for its Undo': [
      { stored: stored({ again: true, signedAt: at(6) }), undo: undo({ waits: true }), now: at(100) },
    ],
    'an activity sent again after its Undo has an effect': [
      { stored: stored({ again: true, signedAt: at(6) }), undo: undo(), now: at(100) },
      { stored: stored({ again: true, signedAt: at(5), receivedAt: at(6) }), undo: undo(), now: at(100) },
    ],
    'an Undo received first counts for six hours, of interactions always': [
      { stored: stored({ type: 'Follow', signedAt: at(6) }), undo: undo(), now: at(100) },
      { stored: stored({ signedAt: at(6) }), undo: undo(), now: at(100) + 9 * HOUR },
      { stored: null, undo: undo(), now: at(100) },
    ],
    'an old Undo does not count for a new activity': [
      { stored: stored({ type: 'Follow', signedAt: at(6) }), undo: undo(), now: at(6) + 6 * HOUR },
      { stored: stored({ signedAt: at(6) }), undo: undo({ late: true }), now: at(100) },
    ],
  },
  undoTarget: {
    'the target of an Undo is absent': [{ stored: null, undo: undo(), now: at(100) }],
    'the target of an Undo was sent again': [
      { stored: stored({ again: true, signedAt: at(6) }), undo: undo(), now: at(100) },
    ],
    'the target of an Undo waits': [{ stored: stored(), undo: undo(), now: at(100) }],
    'the target of an Undo is closed': [{ stored: stored(done), undo: undo(), now: at(100) }],
  },
  claim: {
    'a change signed before the last one is overtaken': [
      { stored: object(), holder: 'a', signedAt: at(4), ends: false, now: at(9) },
      { stored: object({ ended: true }), holder: 'a', signedAt: at(6), ends: false, now: at(9) },
    ],
    'a change waits while another one is applied': [
      { stored: object({ holder: 'b', heldUntil: at(9) }), holder: 'a', signedAt: at(6), ends: false, now: at(9) },
      { stored: object({ holder: 'b', heldUntil: at(9) }), holder: 'a', signedAt: at(4), ends: true, now: at(8) },
    ],
    'a change claims a free object': [
      { stored: null, holder: 'a', signedAt: at(4), ends: false, now: at(9) },
      { stored: object(), holder: 'a', signedAt: at(5), ends: false, now: at(9) },
      { stored: object({ holder: 'b', heldUntil: at(8) }), holder: 'a', signedAt: at(6), ends: false, now: at(9) },
      { stored: object({ holder: 'a', heldUntil: at(99) }), holder: 'a', signedAt: at(6), ends: false, now: at(9) },
      { stored: object({ ended: true }), holder: 'a', signedAt: at(1), ends: true, now: at(9) },
    ],
  },
  existing: {
    'an Undo does not end another activity if its own was known': [
      { existing: stored({ id: '2' }), undone: stored(), signedAt: at(5) },
    ],
    'an activity signed later is kept': [{ existing: stored({ signedAt: at(6) }), undone: null, signedAt: at(5) }],
    'an older or unknown activity is replaced': [
      { existing: null, undone: stored(), signedAt: at(5) },
      { existing: stored(), undone: stored(), signedAt: at(1) },
      { existing: stored({ signedAt: null }), undone: null, signedAt: at(0) },
    ],
  },
  failure: {
    'the last retryable failure closes the activity': [
      { isLast: true, isNamed: true, isRetryable: true, delaySeconds: 60 },
    ],
    'any other last failure becomes a dead letter': [
      { isLast: true, isNamed: false, isRetryable: true, delaySeconds: 60 },
      { isLast: true, isNamed: true, isRetryable: false, delaySeconds: 60 },
    ],
    'a failure with a long delay is held': [{ isLast: false, isNamed: true, isRetryable: true, delaySeconds: 6 }],
    'any other failure is retried by the bus': [
      { isLast: false, isNamed: true, isRetryable: true, delaySeconds: 5 },
      { isLast: false, isNamed: true, isRetryable: false, delaySeconds: 60 },
    ],
  },
}

const events = Object.keys(TRANSITIONS) as Event[]
describe.each(events)('%s', (event) => {
  test('each rule has examples, and each example a rule', () => {
    expect(Object.keys(examples[event])).toEqual(TRANSITIONS[event].map((rule) => rule.test))
    expect(TRANSITIONS[event].at(-1)?.when).toBe(null)
  })
  test.each(Object.entries(examples[event]))('%s', (name, all) => {
    for (const input of all as readonly Input<Event>[]) expect(ruleFor(event, input as never).test).toBe(name)
  })
})
