/** Contracts of events, jobs, invalidations and live subjects: all messages on the bus except requests. */
import { z } from 'zod'

export interface Event<S extends z.ZodType = z.ZodType> {
  readonly kind: 'event'
  /** Name of the event: `<service>.<noun>.<done>`, with a verb in the past tense. */
  readonly name: string
  readonly service: string
  /** NATS subject of the event: `evt.<name>`. */
  readonly subject: string
  readonly data: S
  readonly about: string
}
// biome-ignore lint/suspicious/noExplicitAny: a list of events contains every data type.
export type AnyEvent = Event<any>

/** Declares an event. An event is published only by the service that declares it. */
export const event = <S extends z.ZodType>(name: string, spec: { data: S; about: string }): Event<S> => ({
  kind: 'event',
  name,
  service: name.slice(0, name.indexOf('.')),
  subject: `evt.${name}`,
  ...spec,
})

/**
 * Schema of received values whose list may grow. A value that only a newer release knows is read as `otherwise`, which
 * should be the value that hides or refuses most. The type checks the values that this release sends.
 */
export const knownOr = <S extends z.ZodType>(
  schema: S,
  otherwise: z.output<S> & string,
): z.ZodType<z.output<S>, z.input<S>> => schema.catch(otherwise) as never

/**
 * Schema with the type of an enum that accepts any text. It is for values that a reaction stores or passes on without
 * interpreting them.
 */
export const anyOf = <S extends z.ZodType<string>>(_schema: S): z.ZodType<z.output<S>, z.input<S>> =>
  z.string() as never

/** Type of the data that messages of a job contain. */
export type JobData<J extends AnyJob> = z.infer<J['data']>

/** An event as a reaction receives it. */
export type Happened<E extends AnyEvent> = z.infer<E['data']> & {
  /** Id of the event's outbox row. It is the same on every redelivery and replay. */
  readonly eventId: string
  /** Time at which the event's outbox row was created, in milliseconds since 1970. */
  readonly at: number
}

export interface RetryPolicy {
  /** Seconds to wait before the second try of a job and before each further one. The last value repeats. */
  readonly delays: readonly number[]
  /** Maximum number of tries, including the first. After the last one the job becomes a dead letter. */
  readonly times: number
  /**
   * Maximum number of tries that fail with an error that waiting does not repair: any error but a `Failure`. Each process
   * counts its own tries. Absent: no separate limit.
   */
  readonly defectTimes?: number
}

/** Retry policy of jobs that declare none. */
export const DEFAULT_RETRY: RetryPolicy = { delays: [1, 5, 30, 120, 600], times: 6 }

/** Retry policy of jobs that wait until a store or the instance policy is available again. Its 40 tries take about six hours. */
export const PATIENT_RETRY: RetryPolicy = { ...DEFAULT_RETRY, times: 40 }

/**
 * Retry policy of imports, for which users wait. An error that is no `Failure` ends an import after the tries of
 * `DEFAULT_RETRY`.
 */
export const IMPORT_RETRY: RetryPolicy = { ...PATIENT_RETRY, defectTimes: DEFAULT_RETRY.times }

/** Pauses in seconds before the next try of a row of an import. */
export const IMPORT_PAUSES: {
  /**
   * Pauses before the second and the third try, which is the last, if the server of the row does not respond. The second
   * pause is longer than the minute for which requests to such a server are paused.
   */
  readonly silent: readonly number[]
  /** Pause if a rate limit of this server was reached. Such tries do not count. */
  readonly limited: number
} = {
  silent: [5, 65],
  limited: 60,
}

export interface Job<S extends z.ZodType = z.ZodType> {
  readonly kind: 'job'
  /** Name of the job: `<service>.<queue>`. */
  readonly name: string
  readonly service: string
  /** NATS subject of the job: `job.<name>`. */
  readonly subject: string
  readonly data: S
  readonly about: string
  readonly retry: RetryPolicy
  /** Time limit of a job handler in milliseconds. While the handler runs, the ack wait of its message is extended. */
  readonly timeoutMs: number
  /** Maximum number of messages of the job that one process handles at the same time. */
  readonly concurrency: number
}
// biome-ignore lint/suspicious/noExplicitAny: a list of jobs contains every data type.
export type AnyJob = Job<any>

/** Declares a job. A job is queued and handled only by the service that declares it. */
export const job = <S extends z.ZodType>(
  name: string,
  spec: { data: S; about: string; retry?: RetryPolicy; timeoutMs?: number; concurrency?: number },
): Job<S> => ({
  kind: 'job',
  name,
  service: name.slice(0, name.indexOf('.')),
  subject: `job.${name}`,
  data: spec.data,
  about: spec.about,
  retry: spec.retry ?? DEFAULT_RETRY,
  timeoutMs: spec.timeoutMs ?? 30_000,
  concurrency: spec.concurrency ?? 8,
})

/** A cache invalidation message, which may be lost. Its subject is `hint.<service>.<noun>`. */
export interface Invalidation {
  readonly kind: 'invalidation'
  readonly name: string
  readonly service: string
  readonly subject: string
  readonly about: string
}
/** Declares a cache invalidation message. `name`: `<service>.<noun>`. `about`: sentence for the reference. */
export const invalidation = (name: string, about: string): Invalidation => ({
  kind: 'invalidation',
  name,
  service: name.slice(0, name.indexOf('.')),
  subject: `hint.${name}`,
  about,
})

/** Messages with ids for open streaming connections, which may be lost. Their subject is `live.<surface>.<key>`. */
export interface Live {
  readonly kind: 'live'
  readonly surface: string
  readonly about: string
}
/** Declares live messages. `surface`: second token of their subjects. `about`: sentence for the reference. */
export const live = (surface: string, about: string): Live => ({ kind: 'live', surface, about })
