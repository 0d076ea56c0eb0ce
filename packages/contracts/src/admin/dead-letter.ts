/** Dead letters of all services, for staff: messages that failed at their last try. */
import { z } from 'zod'
import { DeadMessage, MAX_DEAD, OWNERS } from '../kernel.js'
import { flagOr, get, limit, list, operation, optionalId, post, text, textOrNone } from '../kit/index.js'
import { Unavailable } from './queue.js'
import { STAFF_PREFIX, staffReads, staffWrites } from './staff.js'

export const DeadLetter = DeadMessage.extend({
  /** `<service>-<number>`. */
  id: z.string(),
  service: z.enum(OWNERS),
})
export type DeadLetter = z.infer<typeof DeadLetter>

export const DeadLetterDetail = DeadLetter.extend({
  /** Content of the message. Texts other than ids, times, addresses and state names are hidden from staff. */
  content: z.unknown(),
  /** Number of hidden texts. */
  hidden: z.int(),
})
export type DeadLetterDetail = z.infer<typeof DeadLetterDetail>

export const deadLetterList = operation('admin.dead-letter.list', {
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
    /** `max_id` of the next page; null on the last page. */
    next_max_id: z.string().nullable(),
    unavailable: Unavailable,
  }),
  errors: ['unprocessable'],
  about: 'Dead letters of all services, latest first.',
})

export const deadLetterShow = operation('admin.dead-letter.show', {
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
  /** True only returns the dead letters that the request would affect. */
  dry_run: flagOr(false),
})

const outcome = z.object({
  /** The affected dead letters, as they were before. */
  dead_letters: z.array(DeadLetter),
  /** Ids that were replayed or removed; empty in a dry run. */
  done: z.array(z.string()),
  /** Ids that failed again, or whose service did not respond. */
  failed: z.array(z.string()),
  /** Ids without a dead letter. */
  missing: z.array(z.string()),
  unavailable: Unavailable,
})

export const deadLetterReplay = operation('admin.dead-letter.replay', {
  http: post(`${STAFF_PREFIX}/dead_letters/replay`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: chosen,
  output: outcome,
  errors: ['unprocessable'],
  about: 'Runs dead letters again. Those that succeed are removed.',
})

export const deadLetterDrop = operation('admin.dead-letter.drop', {
  http: post(`${STAFF_PREFIX}/dead_letters/drop`),
  viewer: staffWrites('view_devops'),
  class: 'admin',
  input: chosen,
  output: outcome,
  errors: ['unprocessable'],
  about: 'Removes dead letters without running them.',
})
