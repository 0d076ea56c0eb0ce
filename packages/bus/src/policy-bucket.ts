/** The key-value bucket of the instance policy as its one writer sees it: read from the leader, written only over what was read. */
import {
  DiscardPolicy,
  type JetStreamManager,
  jetstream,
  RetentionPolicy,
  StorageType,
  type StreamInfo,
} from '@nats-io/jetstream'
import type { NatsConnection } from '@nats-io/transport-node'
import { POLICY_BUCKET } from './permissions.js'

const STREAM = `KV_${POLICY_BUCKET}`
const subjectOf = (key: string): string => `$KV.${POLICY_BUCKET}.${key}`

/** Where the bucket stands: which making of it, and its newest entry (0 when it is empty). */
export interface BucketPosition {
  /** When the bucket was made; another value means that it was lost and made anew. */
  readonly made: string
  readonly sequence: number
}

export interface PolicyBucket {
  /** Makes the bucket when it is missing. */
  position(): Promise<BucketPosition>
  /** The text under a key, never an older one than `position` counted; null when there is none. */
  read(key: string): Promise<string | null>
  /**
   * Writes one entry on condition that nobody wrote anything since `after`.
   * @returns the new sequence, or null when somebody did and nothing was written.
   */
  write(key: string, text: string, after: number): Promise<number | null>
}

/** JetStream API error codes: no such stream, no such message, another sequence than expected. */
const NO_STREAM = 10059
const NO_MESSAGE = 10037
const OTHER_SEQUENCE = 10071

const codeOf = (error: unknown): number => {
  const given = error as { code?: unknown; api_error?: { err_code?: number } }
  return given?.api_error?.err_code ?? (typeof given?.code === 'number' ? given.code : 0)
}

/** The stream that key-value clients know as this bucket: one entry per key, without expiry. */
const made = (jsm: JetStreamManager, replicas: number): Promise<StreamInfo> =>
  jsm.streams.add({
    name: STREAM,
    subjects: [`$KV.${POLICY_BUCKET}.>`],
    retention: RetentionPolicy.Limits,
    discard: DiscardPolicy.New,
    storage: StorageType.File,
    num_replicas: replicas,
    max_msgs_per_subject: 1,
    allow_direct: true,
    allow_rollup_hdrs: true,
    deny_delete: true,
  })

/** Opens the bucket for its writer; nothing is asked before the first call. */
export const openPolicyBucket = (
  nc: NatsConnection,
  jsm: JetStreamManager,
  options: { replicas: number },
): PolicyBucket => {
  const js = jetstream(nc)
  return {
    async position() {
      const info = await jsm.streams.info(STREAM).catch((error) => {
        if (codeOf(error) === NO_STREAM || /not found/i.test(String(error?.message))) return made(jsm, options.replicas)
        throw error
      })
      return { made: info.created, sequence: info.state.last_seq }
    },
    async read(key) {
      try {
        const message = await jsm.streams.getMessage(STREAM, { last_by_subj: subjectOf(key) })
        return message ? message.string() : null
      } catch (error) {
        if (codeOf(error) === NO_MESSAGE) return null
        throw error
      }
    },
    async write(key, text, after) {
      try {
        const ack = await js.publish(subjectOf(key), text, { expect: { lastSequence: after }, timeout: 5_000 })
        return ack.seq
      } catch (error) {
        if (codeOf(error) === OTHER_SEQUENCE || /wrong last sequence/i.test(String((error as Error)?.message)))
          return null
        throw error
      }
    },
  }
}
