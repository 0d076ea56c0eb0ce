/** Copies a file of another server; the proxy asks for the same when somebody looks before the worker came to it. */
import { asFailure, isRetryable } from '@murmuration/contracts/kit'
import { attachmentHint, attachmentProcessed, fetchRemoteJob } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { work } from '../doors.js'
import { drawRemoteAttachment, drawRemotePicture, mayCopy } from '../outside/copying.js'
import { keepFiles } from '../outside/keeping.js'
import { loosenFiles } from '../store/loose-file.js'
import { cachePicture, claimPicture, unclaimPicture } from '../store/picture.js'
import { cacheAttachment, claimAttachment, unclaimAttachment } from '../store/remote-attachment.js'

/** `busy`: somebody else is fetching it. `refused`: it may not be fetched now. `gone`: it cannot be fetched at all. */
export type Outcome = 'copied' | 'busy' | 'refused' | 'gone'

/** Who claims a file and does not come back is dead after this. */
const CLAIM_MS = 90_000

const allowed = (ctx: Context, row: { domain: string | null; remote_url: string | null }): boolean =>
  mayCopy(ctx, row.domain, new URL(row.remote_url ?? ''))

const tellProcessed = async (
  ctx: Context,
  tx: Parameters<typeof cacheAttachment>[0],
  row: Awaited<ReturnType<typeof cacheAttachment>>,
  ok: boolean,
) => {
  if (row) await ctx.announce(tx, attachmentProcessed, { id: row.id, owner: row.owner, status: row.status, ok })
}

const copyAttachment = async (ctx: Context, id: string, lastTry: boolean): Promise<Outcome> => {
  const now = ctx.clock.date()
  const row = await claimAttachment(ctx.db, id, now, new Date(now.getTime() + CLAIM_MS))
  if (row === null) return 'busy'
  const letGo = (givenUp: Date | null) =>
    ctx.db.tx(async (tx) => {
      const left = await unclaimAttachment(tx, id, givenUp)
      if (givenUp) await tellProcessed(ctx, tx, left, false)
    })
  try {
    if (!allowed(ctx, row)) {
      await letGo(null)
      return 'refused'
    }
    await ctx.benches.use(async (dir) => {
      const { files, facts } = await drawRemoteAttachment(ctx, row, dir)
      await keepFiles(ctx, files, async (tx, size) => {
        const done = await cacheAttachment(tx, id, { ...facts, size })
        if (done === null)
          await loosenFiles(
            tx,
            files.map((file) => file.key),
            ctx.clock.date(),
          )
        await tellProcessed(ctx, tx, done, true)
      })
    })
    return 'copied'
  } catch (error) {
    const forGood = !isRetryable(asFailure(error)) || lastTry
    await letGo(forGood ? ctx.clock.date() : null)
    if (!forGood) throw error
    return 'gone'
  } finally {
    ctx.hints.send(attachmentHint, [id])
  }
}

const copyPicture = async (ctx: Context, id: string, lastTry: boolean): Promise<Outcome> => {
  const now = ctx.clock.date()
  const row = await claimPicture(ctx.db, id, now, new Date(now.getTime() + CLAIM_MS))
  if (row === null) return 'busy'
  try {
    if (!allowed(ctx, row)) {
      await unclaimPicture(ctx.db, id, null)
      return 'refused'
    }
    await ctx.benches.use(async (dir) => {
      const { files, ...copy } = await drawRemotePicture(ctx, row, dir)
      await keepFiles(ctx, files, async (tx, size) => {
        const keys = files.map((file) => file.key)
        if (!(await cachePicture(tx, id, { ...copy, size }))) await loosenFiles(tx, keys, ctx.clock.date())
      })
    })
    return 'copied'
  } catch (error) {
    const forGood = !isRetryable(asFailure(error)) || lastTry
    await unclaimPicture(ctx.db, id, forGood ? ctx.clock.date() : null)
    if (!forGood) throw error
    return 'gone'
  }
}

/** Makes the copy. Rejects when trying again may help. */
export const copyRemote = (
  ctx: Context,
  { what, id }: { what: 'attachment' | 'picture'; id: string },
  lastTry = false,
): Promise<Outcome> => (what === 'attachment' ? copyAttachment(ctx, id, lastTry) : copyPicture(ctx, id, lastTry))

export const fetchRemote = work(fetchRemoteJob, async (ctx, data, { tries }) => {
  await copyRemote(ctx, data, tries >= fetchRemoteJob.retry.times)
})
