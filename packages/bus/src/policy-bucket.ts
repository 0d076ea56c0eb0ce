/**
 * Reads and writes the key-value bucket of the instance policy, for its single writer. The leader responds to reads
 * of the stream. A write fails if another entry was written after the sequence that the writer states.
 */
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

/** Position of the bucket: its creation, its newest entry (sequence 0 when empty), and its number of entries. */
export interface BucketPosition {
  /** Creation time of the bucket. Another creation time means that the bucket was lost and created again. */
  readonly made: string
  readonly sequence: number
  /** Number of entries. If it is smaller than at an earlier position, entries were lost. */
  readonly entries: number
}

export interface PolicyBucket {
  /** Returns the current position of the bucket. Creates the bucket if it is missing. */
  position(): Promise<BucketPosition>
  /** Text under a key; null if there is none. The text is at least as new as the result of the last `position`. */
  read(key: string): Promise<string | null>
  /**
   * Writes one entry if no other entry was written since the sequence `after`.
   * @returns the new sequence, or null when another entry was written and this one was not.
   */
  write(key: string, text: string, after: number): Promise<number | null>
}

/** JetStream API error codes: stream not found, message not found, wrong last sequence. */
const NO_STREAM = 10059
const NO_MESSAGE = 10037
const OTHER_SEQUENCE = 10071

const codeOf = (error: unknown): number => {
  const given = error as { code?: unknown; api_error?: { err_code?: number } }
  return given?.api_error?.err_code ?? (typeof given?.code === 'number' ? given.code : 0)
}

/** Creates the stream of the bucket: one entry per key, without expiry. */
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

/** Opens the bucket for its writer. Sends nothing before the first call. */
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
      return { made: info.created, sequence: info.state.last_seq, entries: info.state.messages }
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
