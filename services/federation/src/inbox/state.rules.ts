/** State machine of received activities: one table of transitions, one row per rule, each with the name of its test. */
import {
  type Claim,
  type Failed,
  hasOtherBytes,
  hasOtherInbox,
  hasSameActor,
  isAnother,
  isEarlyUndo,
  isFromActorAgain,
  isHeldByOther,
  isLongClosed,
  isNewer,
  isOfOtherType,
  isRedelivered,
  isRepeatable,
  isUndoNewer,
  isUndoneBetween,
  isUndoneLater,
  type Known,
  MAX_BUS_RETRY_SECONDS,
  type OutcomeKind,
  type Redelivery,
  type Replaced,
  type Undoable,
  type UndoDelivery,
} from './state-input.rules.js'

interface Rule<Input, Effect extends string> {
  /** Condition of the rule; null: the rule always applies. */
  readonly when: ((input: Input) => boolean) | null
  readonly effect: Effect
  readonly test: string
}
const rules = <Input, Effect extends string>(...all: readonly Rule<Input, Effect>[]) => all
const known =
  (...tests: ((it: Known) => boolean)[]) =>
  (it: Redelivery): boolean =>
    it.stored !== null && tests.every((test) => test(it as Known))
const is =
  (...outcomes: (OutcomeKind | 'waiting')[]) =>
  ({ stored }: Known): boolean =>
    outcomes.includes(stored.outcome ?? 'waiting')
const not =
  <F>(test: (input: F) => boolean) =>
  (input: F): boolean =>
    !test(input)

/** Rules per event. The first rule whose condition is true applies. */
export const TRANSITIONS = {
  /** An activity is delivered. `replace` overwrites the row and queues a job; `renew` only stores the later signature time. */
  delivery: rules<Redelivery, 'insert' | 'replace' | 'renew' | 'ignore'>(
    { when: ({ stored }) => stored === null, effect: 'insert', test: 'a new activity is stored' },
    { when: known(is('refused', 'ignored')), effect: 'replace', test: 'an activity without effect is replaced' },
    {
      when: known(is('waiting'), hasOtherInbox),
      effect: 'replace',
      test: 'a waiting activity is replaced for another inbox',
    },
    {
      when: known(hasOtherInbox, ({ delivery }) => delivery.signedAt !== null),
      effect: 'replace',
      test: 'a processed activity is replaced for another inbox if its actor signed it',
    },
    {
      when: known(is('done'), isRepeatable, isNewer, isAnother, not(isUndoneLater)),
      effect: 'replace',
      test: 'a processed activity is replaced by a redelivery signed later',
    },
    {
      when: known(is('waiting'), isRepeatable, isAnother, isUndoneBetween),
      effect: 'replace',
      test: 'a waiting activity is replaced by a redelivery signed after its Undo',
    },
    {
      when: known(({ delivery }) => delivery.type === 'Update', isNewer, hasOtherBytes),
      effect: 'replace',
      test: 'an Update is replaced by other bytes signed no earlier',
    },
    {
      when: known(({ delivery }) => delivery.type === 'Delete', hasSameActor, isOfOtherType, isNewer),
      effect: 'replace',
      test: 'an activity is replaced by a Delete under its id, signed no earlier',
    },
    {
      when: known(
        ({ delivery }) => delivery.hasId,
        hasSameActor,
        not(hasOtherBytes),
        ({ stored, delivery }) =>
          stored.digest !== null &&
          stored.signedAt !== null &&
          delivery.signedAt !== null &&
          delivery.signedAt > stored.signedAt,
      ),
      effect: 'renew',
      test: 'a repetition of the same bytes renews the time of the signature',
    },
    { when: null, effect: 'ignore', test: 'any other redelivery is ignored' },
  ),
  /** A redelivery replaces an activity. `again`: sent again, and so valid after an Undo. `first`: counts as first delivery. */
  replacement: rules<Redelivery, 'again' | 'first'>(
    { when: known(is('done')), effect: 'again', test: 'a redelivery of a processed activity is sent again' },
    {
      when: known(is('waiting'), ({ stored }) => stored.again),
      effect: 'again',
      test: 'a redelivery of an activity sent again is sent again',
    },
    {
      when: known(is('waiting', 'ignored'), isFromActorAgain, hasOtherBytes),
      effect: 'again',
      test: 'other bytes are sent again, although the first had no effect',
    },
    {
      when: known(is('ignored'), isFromActorAgain, isLongClosed),
      effect: 'again',
      test: 'the same bytes are sent again six hours after the first had no effect',
    },
    {
      when: known(is('waiting', 'ignored'), isFromActorAgain, isAnother, isUndoneBetween),
      effect: 'again',
      test: 'the same bytes are sent again if the Undo was signed between them',
    },
    { when: null, effect: 'first', test: 'any other replacement is a late first delivery' },
  ),
  /** An Undo is delivered: the Undo is recorded for its target at once. */
  undoDelivery: rules<UndoDelivery, 'record-late' | 'record' | 'renew' | 'ignore'>(
    {
      when: ({ isStored, target, actor }) => isStored && target?.outcome === 'done' && target.actor === actor,
      effect: 'record-late',
      test: 'an Undo of a processed activity is recorded as late',
    },
    {
      when: ({ isStored }) => isStored,
      effect: 'record',
      test: 'an Undo of an unknown or waiting activity is recorded',
    },
    {
      when: ({ undo, signedAt }) =>
        undo?.waits === true && undo.signedAt !== null && signedAt !== null && undo.signedAt < signedAt,
      effect: 'renew',
      test: 'a redelivery of a waiting Undo renews the time of its signature',
    },
    { when: null, effect: 'ignore', test: 'any other redelivery of an Undo is ignored' },
  ),
  /** Whether the activity that a handler processes was undone. `undoing`: wait until the Undo is processed. */
  activity: rules<Undoable, 'not' | 'undone' | 'undoing' | 'again'>(
    { when: ({ undo }) => undo === null, effect: 'not', test: 'an activity without Undo is not undone' },
    {
      when: ({ stored }) => stored !== null && stored.signedAt === null,
      effect: 'undone',
      test: 'an activity passed on by another server is undone',
    },
    { when: isUndoNewer, effect: 'undone', test: 'an activity signed before its Undo is undone' },
    {
      when: (it) => isRedelivered(it) && it.undo?.waits === true,
      effect: 'undoing',
      test: 'an activity sent again waits for its Undo',
    },
    { when: isRedelivered, effect: 'again', test: 'an activity sent again after its Undo has an effect' },
    {
      when: isEarlyUndo,
      effect: 'undone',
      test: 'an Undo received first counts for six hours, of interactions always',
    },
    { when: null, effect: 'not', test: 'an old Undo does not count for a new activity' },
  ),
  /** An Undo is processed: the state of the activity that it undoes. */
  undoTarget: rules<Undoable, 'absent' | 'again' | 'waiting' | 'closed'>(
    { when: ({ stored }) => stored === null, effect: 'absent', test: 'the target of an Undo is absent' },
    { when: isRedelivered, effect: 'again', test: 'the target of an Undo was sent again' },
    { when: ({ stored }) => stored?.outcome === null, effect: 'waiting', test: 'the target of an Undo waits' },
    { when: null, effect: 'closed', test: 'the target of an Undo is closed' },
  ),
  /** A handler claims the object of its activity, so that changes apply in the order of their signatures. */
  claim: rules<Claim, 'claim' | 'overtaken' | 'wait'>(
    {
      when: ({ stored, ends, signedAt }) => stored !== null && !ends && (stored.ended || stored.signedAt > signedAt),
      effect: 'overtaken',
      test: 'a change signed before the last one is overtaken',
    },
    { when: isHeldByOther, effect: 'wait', test: 'a change waits while another one is applied' },
    { when: null, effect: 'claim', test: 'a change claims a free object' },
  ),
  /** A conflict with another activity of the same effect, such as a Follow of the same account under another id. */
  existing: rules<Replaced, 'keep' | 'replace'>(
    {
      when: ({ existing, undone }) => existing !== null && undone !== null && existing.id !== undone.id,
      effect: 'keep',
      test: 'an Undo does not end another activity if its own was known',
    },
    {
      when: ({ existing, signedAt }) => existing !== null && existing.signedAt !== null && existing.signedAt > signedAt,
      effect: 'keep',
      test: 'an activity signed later is kept',
    },
    { when: null, effect: 'replace', test: 'an older or unknown activity is replaced' },
  ),
  /** The processing of an activity failed: what happens to it next. */
  failure: rules<Failed, 'hold' | 'retry' | 'close' | 'dead-letter'>(
    {
      when: ({ isLast, isNamed, isRetryable }) => isLast && isNamed && isRetryable,
      effect: 'close',
      test: 'the last retryable failure closes the activity',
    },
    { when: ({ isLast }) => isLast, effect: 'dead-letter', test: 'any other last failure becomes a dead letter' },
    {
      when: ({ isRetryable, delaySeconds }) => isRetryable && delaySeconds > MAX_BUS_RETRY_SECONDS,
      effect: 'hold',
      test: 'a failure with a long delay is held',
    },
    { when: null, effect: 'retry', test: 'any other failure is retried by the bus' },
  ),
} as const

type Table = typeof TRANSITIONS
type InputOf<E extends keyof Table> = Table[E] extends readonly Rule<infer F, string>[] ? F : never
type EffectOf<E extends keyof Table> = Table[E][number]['effect']

/**
 * The first rule of an event that applies. There is always one, because the last rule of each event has no condition.
 */
export const ruleFor = <E extends keyof Table>(event: E, input: InputOf<E>): Rule<InputOf<E>, EffectOf<E>> =>
  (TRANSITIONS[event] as unknown as readonly Rule<InputOf<E>, EffectOf<E>>[]).find(
    ({ when }) => when === null || when(input),
  ) as Rule<InputOf<E>, EffectOf<E>>

export const transition = <E extends keyof Table>(event: E, input: InputOf<E>): EffectOf<E> =>
  ruleFor(event, input).effect
