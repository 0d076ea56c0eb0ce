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

export const eventStream = (service: string): string => `EVT_${service}`
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
  maxDeliver: number
  maxAckPending: number
}

export interface TopologyOptions {
  /** Number of replicas: 1 in development, 3 in a cluster. */
  replicas: number
  /** Maximum bytes of one stream. */
  maxBytes: number
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

/** Creates the stream, or updates its subjects and limits. Returns true when the stream was created. */
export const ensureStream = async (
  jsm: JetStreamManager,
  plan: StreamPlan,
  options: TopologyOptions,
): Promise<boolean> => {
  const wanted = streamConfig(plan, options)
  try {
    const info = await jsm.streams.info(plan.name)
    const same =
      JSON.stringify([...(info.config.subjects ?? [])].sort()) === JSON.stringify([...plan.subjects].sort()) &&
      info.config.max_bytes === options.maxBytes &&
      info.config.discard === wanted.discard &&
      info.config.num_replicas === options.replicas
    if (!same)
      await jsm.streams.update(plan.name, {
        ...info.config,
        subjects: plan.subjects,
        max_bytes: options.maxBytes,
        num_replicas: options.replicas,
        ...(wanted.discard && { discard: wanted.discard }),
      })
    return false
  } catch (error) {
    if (!isNotFound(error)) throw error
    await jsm.streams.add(wanted)
    return true
  }
}

const limitsOf = (plan: ConsumerPlan) => ({
  ack_wait: nanos(plan.ackWaitMs),
  max_deliver: plan.maxDeliver,
  max_ack_pending: plan.maxAckPending,
})

const configsOf = async (jsm: JetStreamManager, stream: string): Promise<Map<string, ConsumerConfig>> => {
  const configs = new Map<string, ConsumerConfig>()
  for await (const { name, config } of jsm.consumers.list(stream)) configs.set(name, config)
  return configs
}

/**
 * Creates missing durable consumers, and updates durable consumers with other limits. Reads the consumers of each
 * stream once. Rejects while a stream is missing.
 */
export const ensureConsumers = async (jsm: JetStreamManager, plans: readonly ConsumerPlan[]): Promise<void> => {
  const byStream = [...Map.groupBy(plans, (plan) => plan.stream)]
  await Promise.all(
    byStream.map(async ([stream, own]) => {
      const found = await configsOf(jsm, stream)
      const ensure = async (plan: ConsumerPlan): Promise<void> => {
        const [config, wanted] = [found.get(plan.durable), limitsOf(plan)]
        if (!config) {
          const names = { durable_name: plan.durable, name: plan.durable, filter_subject: plan.filter }
          const policies = { ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.All }
          await jsm.consumers.add(stream, { ...names, ...policies, ...wanted })
        } else if (
          config.ack_wait !== wanted.ack_wait ||
          config.max_deliver !== wanted.max_deliver ||
          config.max_ack_pending !== wanted.max_ack_pending
        )
          await jsm.consumers.update(stream, plan.durable, wanted)
      }
      await Promise.all(own.map(ensure))
    }),
  )
}
