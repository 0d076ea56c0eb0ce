/** Copying a file of another server: one at a time, and kept; the worker asks for it, and whoever looks first. */
import { isRetryable } from '@murmuration/contracts/kit'
import { attachmentHint } from '@murmuration/contracts/media'
import type { Context } from '../context.js'
import { drawRemoteAttachment, drawRemotePicture, mayCopy } from '../outside/copying.js'
import type { Attachment } from '../store/attachment.js'
import { loosenFiles } from '../store/loose-file.js'
import { cachePicture, claimPicture, type Picture, unclaimPicture } from '../store/picture.js'
import { cacheAttachment, claimAttachment, unclaimAttachment } from '../store/remote-attachment.js'
import { keepFiles } from './keep-files.js'

/** `busy`: somebody else is fetching it. `refused`: it may not be fetched. `failed`: it could not be fetched. */
export type Outcome = 'copied' | 'busy' | 'refused' | 'failed'

/** Who claims a file and does not come back is dead after this. */
const CLAIM_MS = 90_000
const POLICY_MS = 1_000
const LOOK_MS = 50

/** Just after the start the policy is on its way; where it does not come, nothing is fetched. */
const policyKnown = async (ctx: Context, until: number): Promise<boolean> => {
  if (ctx.policy.loaded() || performance.now() > until) return ctx.policy.loaded()
  await ctx.clock.sleep(LOOK_MS)
  return policyKnown(ctx, until)
}

interface Subject<Row> {
  row: Row
  /** Makes and stores the copy. */
  copy(dir: string): Promise<void>
  /** Lets others try. `forGood`: no other try will do better. */
  letGo(failedAt: Date | null, forGood: boolean): Promise<void>
}

const copyOnce = async (
  ctx: Context,
  { row, copy, letGo }: Subject<Attachment | Picture>,
  lastTry: boolean,
): Promise<Outcome> => {
  try {
    if (!mayCopy(ctx, row.domain, new URL(row.remote_url ?? ''))) {
      await letGo(null, false)
      return 'refused'
    }
    await ctx.benches.use(copy)
    return 'copied'
  } catch (error) {
    const forGood = !isRetryable(error)
    await letGo(forGood || lastTry ? ctx.clock.date() : null, forGood)
    if (!forGood && !lastTry) throw error
    return 'failed'
  }
}

const attachment = (ctx: Context, row: Attachment): Subject<Attachment> => ({
  row,
  async copy(dir) {
    const { files, facts } = await drawRemoteAttachment(ctx, row, dir)
    const keys = files.map((file) => file.key)
    await keepFiles(ctx, files, async (tx, size) => {
      if (!(await cacheAttachment(tx, row.id, { ...facts, size }))) await loosenFiles(tx, keys, ctx.clock.date())
    })
    ctx.hints.send(attachmentHint, [row.id])
  },
  async letGo(failedAt, forGood) {
    await unclaimAttachment(ctx.db, row.id, failedAt, forGood)
    if (forGood) ctx.hints.send(attachmentHint, [row.id])
  },
})

const picture = (ctx: Context, row: Picture): Subject<Picture> => ({
  row,
  async copy(dir) {
    const { files, ...copy } = await drawRemotePicture(ctx, row, dir)
    const keys = files.map((file) => file.key)
    await keepFiles(ctx, files, async (tx, size) => {
      if (!(await cachePicture(tx, row.id, { ...copy, size }))) await loosenFiles(tx, keys, ctx.clock.date())
    })
  },
  async letGo(failedAt) {
    await unclaimPicture(ctx.db, row.id, failedAt)
  },
})

/** Makes the copy. Rejects when trying again may help and this is not the last try. */
export const copyRemote = async (
  ctx: Context,
  { what, id }: { what: 'attachment' | 'picture'; id: string },
  lastTry: boolean,
): Promise<Outcome> => {
  if (!(await policyKnown(ctx, performance.now() + POLICY_MS))) return 'refused'
  const now = ctx.clock.date()
  const until = new Date(now.getTime() + CLAIM_MS)
  if (what === 'attachment') {
    const row = await claimAttachment(ctx.db, id, now, until)
    return row === null ? 'busy' : copyOnce(ctx, attachment(ctx, row), lastTry)
  }
  const row = await claimPicture(ctx.db, id, now, until)
  return row === null ? 'busy' : copyOnce(ctx, picture(ctx, row), lastTry)
}
