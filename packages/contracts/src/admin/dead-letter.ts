/** Operations about dead letters of all services, for staff: messages that failed at their last try. */
import { z } from 'zod'
import { DeadMessage, MAX_DEAD, OWNERS } from '../kernel.js'
import { flagOr, get, limit, list, operation, optionalId, post, text, textOrNone } from '../kit/index.js'
import { Unavailable } from './queue.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

export const DeadLetter = DeadMessage.extend({
  /** Id of a dead letter: `<service>-<number>`. */
  id: z.string(),
  service: z.enum(OWNERS),
})
export type DeadLetter = z.infer<typeof DeadLetter>

export const DeadLetterDetail = DeadLetter.extend({
  /** Content of the message. Staff sees its ids, times, addresses and state names; all other texts are hidden. */
  content: z.unknown(),
  /** Number of texts in the message that are hidden from staff. */
  hidden: z.int(),
})
export type DeadLetterDetail = z.infer<typeof DeadLetterDetail>

export const listDeadLetters = operation('admin.dead-letter.list', {
  http: get(`${STAFF_PREFIX}/dead_letters`),
  viewer: staffReads('view_devops'),
  class: 'admin',
  input: z.object({
    service: textOrNone(50).optional(),
    /** Name of a consumer, such as `statuses_fan-out`. */
    queue: textOrNone(200).optional(),
    limit: limit(100, 500),
    max_id: optionalId(),
  }),
  output: z.object({
    dead_letters: z.array(DeadLetter),
    /** Value of `max_id` for the next page; null on the last page. */
    next_max_id: z.string().nullable(),
    unavailable: Unavailable,
  }),
  errors: ['unprocessable'],
  about: 'Dead letters of all services, latest first.',
})

export const showDeadLetter = operation('admin.dead-letter.show', {
  http: get(`${STAFF_PREFIX}/dead_letters/:id`),
  viewer: staffReads('view_devops'),
  class: 'admin',
  input: z.object({ id: text(60) }),
  output: DeadLetterDetail,
  errors: ['not_found', 'unavailable'],
  about: 'One dead letter with its message. Texts that may be private or secret are hidden.',
})

const chosen = z.object({
  ids: list(text(60), MAX_DEAD).default([]),
  /** True: only returns the dead letters that the request would affect. */
  dry_run: flagOr(false),
})

const outcome = z.object({
  /** The affected dead letters, as they were before the request. */
  dead_letters: z.array(DeadLetter),
  /** Ids of dead letters that were replayed or removed; empty in a dry run. */
  done: z.array(z.string()),
  /** Ids in `done` whose job or event runs again and has not ended yet. If it fails, it is listed as a dead letter again. */
  queued: z.array(z.string()).optional(),
  /** Ids of dead letters whose replay failed again, or whose service did not respond. */
  failed: z.array(z.string()),
  /** Requested ids for which no dead letter exists, or no longer exists. */
  missing: z.array(z.string()),
  unavailable: Unavailable,
})

export const replayDeadLetter = operation('admin.dead-letter.replay', {
  http: post(`${STAFF_PREFIX}/dead_letters/replay`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: chosen,
  output: outcome,
  errors: ['unprocessable'],
  about: 'Runs dead letters again. Those that succeed are removed. Jobs are queued again.',
})

export const dropDeadLetter = operation('admin.dead-letter.drop', {
  http: post(`${STAFF_PREFIX}/dead_letters/drop`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: chosen,
  output: outcome,
  errors: ['unprocessable'],
  about: 'Removes dead letters without running them.',
})
