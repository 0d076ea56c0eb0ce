/** Resumes a connection: sends the events after a position of the account's log, or one `gap` if the log no longer has the position. */
import { jetstream, jetstreamManager, LIVE_STREAM } from '@murmuration/bus'
import { LiveMessage } from '@murmuration/contracts/statuses'
import { type Connection, deliver, keptSince } from '../connection/index.js'
import type { Context } from '../context.js'
import type { Hub } from './hub.js'

/** Maximum number of events that one resumption reads. The log stores the same number of events per account, for one day. */
const MAX_EVENTS = 1_000

/**
 * True if the log has all events after this position. Then the event at the position still exists, and the account was
 * marked as present at all times since. Events are logged only while an account is marked as present.
 */
const isKept = async (ctx: Context, subject: string, seq: number): Promise<boolean> => {
  const jsm = await jetstreamManager(ctx.nc, { checkAPI: false })
  try {
    const message = await jsm.streams.getMessage(LIVE_STREAM, { seq })
    if (message?.subject !== subject) return false
    const since = await keptSince(ctx)
    // While Redis had lost the marks of presence, events were not logged. If Redis does not respond, every account
    // counts as present.
    return since === undefined || (since !== null && since <= message.time.getTime())
  } catch {
    return false
  }
}

/** Calls `each` for the events after `seq`, one after the other. */
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
  const waiting = Math.min(info.num_pending, MAX_EVENTS)
  if (waiting === 0) return
  const messages = await consumer.fetch({ max_messages: waiting, expires: 2_000 })
  for await (const message of messages) {
    const parsed = LiveMessage.safeParse(message.json())
    // Each event is awaited before the next event, because events must be sent in the order of the log.
    if (parsed.success) await each(parsed.data, message.seq)
    if (message.info.pending === 0) break
  }
}

/**
 * Sends the events after position `since`, then the live events that arrived meanwhile.
 * The connection must already be subscribed and have `catchingUp` set.
 * Sends `gap` if an event cannot be read or rendered, because the position of later events would hide the loss.
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
