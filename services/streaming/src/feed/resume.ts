/** Resumes a connection: sends what the account's log holds after a position, or one `gap` if the log starts later. */
import { jetstream, jetstreamManager, LIVE_STREAM } from '@murmuration/bus'
import { LiveMessage } from '@murmuration/contracts/statuses'
import { type Connection, deliver, keptSince } from '../connection/index.js'
import type { Context } from '../context.js'
import type { Hub } from './hub.js'

/** Events that an account's log keeps, for a day. A longer absence is a gap. */
const MOST = 1_000

/** True if the log holds everything after this position: it holds the position, and presence was not lost since then. */
const isKept = async (ctx: Context, subject: string, seq: number): Promise<boolean> => {
  const jsm = await jetstreamManager(ctx.nc, { checkAPI: false })
  try {
    const message = await jsm.streams.getMessage(LIVE_STREAM, { seq })
    if (message?.subject !== subject) return false
    const since = await keptSince(ctx)
    // Nothing was logged for an account that was not known to be present.
    return since === undefined || (since !== null && since <= message.time.getTime())
  } catch {
    return false
  }
}

const readAfter = async (
  ctx: Context,
  subject: string,
  seq: number,
  each: (message: LiveMessage, seq: number) => Promise<void>,
): Promise<void> => {
  const consumer = await jetstream(ctx.nc).consumers.get(LIVE_STREAM, {
    filter_subjects: subject,
    opt_start_seq: seq + 1,
  })
  const info = await consumer.info(true)
  const waiting = Math.min(info.num_pending, MOST)
  if (waiting === 0) return
  const messages = await consumer.fetch({ max_messages: waiting, expires: 2_000 })
  for await (const message of messages) {
    const parsed = LiveMessage.safeParse(message.json())
    // One after the other, because the order of a log must hold.
    if (parsed.success) await each(parsed.data, message.seq)
    if (message.info.pending === 0) break
  }
}

/**
 * Sends what was missed after `since`, then what arrived meanwhile. The connection must already be subscribed and catching up.
 * An event that cannot be read or rendered now is a gap as well, because later events would hide that it is missing.
 */
export const resume = async (ctx: Context, hub: Hub, connection: Connection, since: number): Promise<void> => {
  const subject = `live.user.${connection.viewerId}`
  const sendGap = () => connection.transport.send({ stream: ['user'], event: 'gap', payload: String(since), seq: null })
  try {
    if (await isKept(ctx, subject, since)) {
      await readAfter(ctx, subject, since, async (message, seq) => {
        await hub.replay(connection, message, seq)
        connection.resumedTo = seq
      })
    } else sendGap()
  } catch (error) {
    ctx.log.warn({ error }, 'a connection could not resume')
    sendGap()
  } finally {
    const meanwhile = connection.catchingUp ?? []
    connection.catchingUp = null
    for (const event of meanwhile) deliver(connection, event, ctx.config.maxBuffered)
  }
}
