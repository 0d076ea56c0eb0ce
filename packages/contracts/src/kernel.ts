/** Operations that the kernel of each service with a database serves: queues, dead letters, and events published again. */
import { z } from 'zod'
import { internal, operation } from './kit/index.js'

/** Services with a database, and therefore with queues. */
export const OWNERS = ['media', 'accounts', 'statuses', 'notifications', 'federation', 'admin'] as const
export type Owner = (typeof OWNERS)[number]

export const ConsumerState = z.object({
  stream: z.string(),
  consumer: z.string(),
  pending: z.int(),
  ackPending: z.int(),
  redelivered: z.int(),
  /** Age in seconds of the oldest message that waits or is in progress. 0 without such a message, null if the age was not read. */
  oldestSeconds: z.number().nullable(),
})
export type ConsumerState = z.infer<typeof ConsumerState>

export const QueueState = z.object({
  service: z.string(),
  /** Number and age of the events and jobs in the outbox that are not published yet. */
  outbox: z.object({ unsent: z.int(), oldestSeconds: z.number() }),
  /** Consumers of the service's job queues, and of every reaction to its events. */
  consumers: z.array(ConsumerState),
  deadLetters: z.int(),
})
export type QueueState = z.infer<typeof QueueState>

export const DeadMessage = z.object({
  id: z.string(),
  consumer: z.string(),
  subject: z.string(),
  message_id: z.string(),
  reason: z.string(),
  tries: z.int(),
  at: z.string(),
})
export type DeadMessage = z.infer<typeof DeadMessage>

/** Maximum number of dead letter ids in one request. */
export const MAX_DEAD = 100

const ids = z.array(z.string()).max(MAX_DEAD)

/** Declares the operations that the kernel of one service serves. */
export const kernelOf = (service: string) => ({
  queues: operation(`${service}.ops.queues`, {
    viewer: internal(),
    class: 'admin',
    repeatable: true,
    input: z.object({
      /** True: the ages of the oldest waiting messages are read, too. */
      ages: z.boolean().optional(),
    }),
    output: QueueState,
    about: 'Waiting messages of this service.',
  }),
  listDeadLetters: operation(`${service}.ops.dead-list`, {
    viewer: internal(),
    class: 'admin',
    repeatable: true,
    input: z.object({
      limit: z.int().min(1).max(500).default(500),
      /** Id of the last dead letter on the previous page. */
      before: z.string().optional(),
      consumer: z.string().optional(),
      /** Only dead letters with these ids. */
      ids: ids.optional(),
    }),
    output: z.object({ letters: z.array(DeadMessage) }),
    about: 'Dead letters of this service, latest first.',
  }),
  showDeadLetter: operation(`${service}.ops.dead-show`, {
    viewer: internal(),
    class: 'admin',
    repeatable: true,
    input: z.object({ id: z.string() }),
    output: z.object({ letter: DeadMessage.extend({ data: z.string() }).nullable() }),
    about: 'One dead letter with its message.',
  }),
  replayDeadLetters: operation(`${service}.ops.dead-replay`, {
    viewer: internal(),
    class: 'admin',
    input: z.object({ ids }),
    output: z.object({
      /** Events and jobs that were started again, without those that failed again. */
      replayed: z.array(z.string()),
      failed: z.array(z.string()),
      /** Ids in `replayed` whose job or event has not ended yet. Older releases leave them out. */
      queued: z.array(z.string()).optional(),
    }),
    about: 'Handles the events of dead letters again, and queues their jobs again.',
  }),
  dropDeadLetters: operation(`${service}.ops.dead-drop`, {
    viewer: internal(),
    class: 'admin',
    input: z.object({ ids }),
    output: z.object({ dropped: z.array(z.string()) }),
    about: 'Removes dead letters.',
  }),
  replayEvents: operation(`${service}.ops.event-replay`, {
    viewer: internal(),
    class: 'admin',
    input: z.object({
      ids: z.array(z.string()).max(1_000).optional(),
      from: z.string().optional(),
      to: z.string().optional(),
    }),
    output: z.object({ replayed: z.int() }),
    about: 'Publishes events again. Reactions that have handled them do nothing.',
  }),
})
export type KernelOperations = ReturnType<typeof kernelOf>

/** Operations that the kernel serves, by service with a database. */
export const KERNEL = Object.fromEntries(OWNERS.map((owner) => [owner, kernelOf(owner)])) as Record<
  Owner,
  KernelOperations
>

/** Whether a service has a database, so that the kernel serves these operations for it. */
export const isOwner = (service: string): service is Owner => OWNERS.some((one) => one === service)
