/**
 * Creates missing streams and consumers, and updates those whose settings differ. Uses only features of NATS server
 * 2.9.
 */
import {
  AckPolicy,
  type ConsumerConfig,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from '@nats-io/jetstream'
import { nanos } from '@nats-io/transport-node'
import { isNotFound } from './missing.js'

/** Name of the stream with the events of a service. */
export const eventStream = (service: string): string => `EVT_${service}`
/** Name of the stream with the jobs of a service. */
export const jobStream = (service: string): string => `JOB_${service}`
export const LIVE_STREAM = 'LIVE'

export interface StreamPlan {
  name: string
  subjects: string[]
  kind: 'events' | 'jobs' | 'live'
}
export interface ConsumerPlan {
  stream: string
  /** Durable name: `<service>_<reaction or queue>`. */
  durable: string
  filter: string
  ackWaitMs: number
  maxAckPending: number
}

export interface TopologyOptions {
  /** Number of replicas: 1 in development, 3 in a cluster. */
  replicas: number
  /** Maximum bytes of one stream. */
  maxBytes: number
}

/** The server refused to create or to update a stream or consumer. */
export class TopologyRefused extends Error {
  override readonly name = 'topology-refused'
  /** True when it exists with other settings, and false when it does not exist. */
  readonly exists: boolean
  constructor(what: string, exists: boolean, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    super(`${what} is ${exists ? 'not updated' : 'missing'}: ${reason}`, { cause })
    this.exists = exists
  }
}

const refused = (what: string, exists: boolean) => (cause: unknown) => {
  throw new TopologyRefused(what, exists, cause)
}

const HOUR = 3_600_000
const streamConfig = (plan: StreamPlan, options: TopologyOptions): Partial<StreamConfig> & { name: string } => ({
  name: plan.name,
  subjects: plan.subjects,
  storage: StorageType.File,
  num_replicas: options.replicas,
  max_bytes: options.maxBytes,
  duplicate_window: nanos(10 * 60_000),
  ...(plan.kind === 'jobs'
    ? { retention: RetentionPolicy.Workqueue, discard: DiscardPolicy.New, max_age: 0 }
    : plan.kind === 'events'
      ? // Old messages are dropped when the stream is full. Unprocessed ones are still in the outbox and are sent again.
        { retention: RetentionPolicy.Limits, discard: DiscardPolicy.Old, max_age: nanos(72 * HOUR) }
      : {
          retention: RetentionPolicy.Limits,
          discard: DiscardPolicy.Old,
          max_age: nanos(24 * HOUR),
          max_msgs_per_subject: 1_000,
          duplicate_window: nanos(2 * 60_000),
          republish: { src: 'live.user.*', dest: 'seq.user.{{wildcard(1)}}' },
        }),
})

/**
 * Creates the stream, or updates its subjects and limits. Returns true when the stream was created. Rejects with a
 * TopologyRefused when the server refuses that.
 */
export const ensureStream = async (
  jsm: JetStreamManager,
  plan: StreamPlan,
  options: TopologyOptions,
): Promise<boolean> => {
  const wanted = streamConfig(plan, options)
  const what = `the stream ${plan.name}`
  try {
    const info = await jsm.streams.info(plan.name)
    const same =
      JSON.stringify([...(info.config.subjects ?? [])].sort()) === JSON.stringify([...plan.subjects].sort()) &&
      info.config.max_bytes === options.maxBytes &&
      info.config.discard === wanted.discard &&
      info.config.num_replicas === options.replicas
    if (!same)
      await jsm.streams
        .update(plan.name, {
          ...info.config,
          subjects: plan.subjects,
          max_bytes: options.maxBytes,
          num_replicas: options.replicas,
          ...(wanted.discard && { discard: wanted.discard }),
        })
        .catch(refused(what, true))
    return false
  } catch (error) {
    if (error instanceof TopologyRefused || !isNotFound(error)) throw error
    await jsm.streams.add(wanted).catch(refused(what, false))
    return true
  }
}

/**
 * NATS delivers a message without limit until the worker ends it. With a limit, NATS would drop a message whose dead
 * letter cannot be stored for a while.
 */
const NO_LIMIT = -1

const limitsOf = (plan: ConsumerPlan) => ({
  ack_wait: nanos(plan.ackWaitMs),
  max_deliver: NO_LIMIT,
  max_ack_pending: plan.maxAckPending,
})

const configsOf = async (jsm: JetStreamManager, stream: string): Promise<Map<string, ConsumerConfig>> => {
  const configs = new Map<string, ConsumerConfig>()
  for await (const { name, config } of jsm.consumers.list(stream)) configs.set(name, config)
  return configs
}

/**
 * Creates missing durable consumers, and updates durable consumers with other limits. Reads the consumers of each
 * stream once. Returns the errors of failed consumers by durable name; the other consumers are created nevertheless.
 */
export const ensureConsumers = async (
  jsm: JetStreamManager,
  plans: readonly ConsumerPlan[],
): Promise<Map<string, unknown>> => {
  const failures = new Map<string, unknown>()
  const byStream = [...Map.groupBy(plans, (plan) => plan.stream)]
  await Promise.all(
    byStream.map(async ([stream, own]) => {
      const fail = (plan: ConsumerPlan) => (error: unknown) => void failures.set(plan.durable, error)
      const found = await configsOf(jsm, stream).catch((error: unknown) => {
        for (const plan of own) fail(plan)(error)
        return null
      })
      if (found === null) return
      const ensure = async (plan: ConsumerPlan): Promise<void> => {
        const [config, wanted] = [found.get(plan.durable), limitsOf(plan)]
        const what = `the consumer ${plan.durable} of ${stream}`
        if (!config) {
          const names = { durable_name: plan.durable, name: plan.durable, filter_subject: plan.filter }
          const policies = { ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All }
          await jsm.consumers.add(stream, { ...names, ...policies, ...wanted }).catch(refused(what, false))
        } else if (
          config.ack_wait !== wanted.ack_wait ||
          config.max_deliver !== wanted.max_deliver ||
          config.max_ack_pending !== wanted.max_ack_pending
        )
          await jsm.consumers.update(stream, plan.durable, wanted).catch(refused(what, true))
      }
      await Promise.all(own.map((plan) => ensure(plan).catch(fail(plan))))
    }),
  )
  return failures
}
