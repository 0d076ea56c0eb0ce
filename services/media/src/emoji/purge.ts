/** Task that deletes custom emoji: local ones, copies of remote ones, or all copies of a server. */
import { emojiInvalidation } from '@murmuration/contracts/media'
import type { Tx } from '@murmuration/db'
import { inSteps, taskKind } from '@murmuration/kernel'
import type { Context } from '../context.js'
import { removePictureCopies } from '../core/picture/store.js'
import { releaseFiles } from '../upkeep/index.js'
import { deleteEmojisOf, deleteOwnEmojis, emojiCopies, ownEmojis } from './remote.store.js'

const CHUNK = 200
const STEPS = { size: 500, steps: 1_000 }

export interface PurgeEmojiInput {
  /** True deletes only copies of remote emoji. False also deletes emoji of this server. */
  remoteOnly: boolean
  /** Domain whose copied emoji are deleted; null for all other servers. */
  domain: string | null
}

interface Walk {
  of: 'own' | 'remote'
  after: string
}

const walkOf = (after: string, { remoteOnly }: PurgeEmojiInput): Walk => {
  if (after !== '') return JSON.parse(after) as Walk
  return { of: remoteOnly ? 'remote' : 'own', after: remoteOnly ? '0' : '' }
}

const purgeOwn = async (ctx: Context, tx: Tx, after: string, dryRun: boolean) => {
  const found = await ownEmojis(tx, after, CHUNK)
  const shortcodes = found.map((row) => row.shortcode)
  if (!dryRun && found.length > 0) {
    await releaseFiles(ctx, tx, await deleteOwnEmojis(tx, shortcodes))
    tx.onCommit(() => {
      ctx.emojis.invalidate()
      ctx.invalidations.send(emojiInvalidation, shortcodes)
    })
  }
  const next: Walk = found.length < CHUNK ? { of: 'remote', after: '0' } : { of: 'own', after: shortcodes.at(-1) ?? '' }
  return { found, next, notes: { ...(found.length > 0 && { of_this_server: found.length }) } }
}

const purgeCopies = async (ctx: Context, tx: Tx, domain: string | null, after: string, dryRun: boolean) => {
  const found = await emojiCopies(tx, { domain, after, limit: CHUNK })
  const ids = found.map((row) => row.id)
  if (!dryRun && found.length > 0) await releaseFiles(ctx, tx, await removePictureCopies(tx, ids))
  const next: Walk | null = found.length < CHUNK ? null : { of: 'remote', after: ids.at(-1) ?? after }
  return { found, next, notes: { ...(found.length > 0 && { of_other_servers: found.length }) } }
}

export const purgeEmojiKind = taskKind<Context>()<PurgeEmojiInput>({
  name: 'purge-emoji',
  permission: 'manage_custom_emojis',
  act: ({ remoteOnly, domain }) => ({
    action: 'purge_custom_emoji',
    target: domain ?? (remoteOnly ? 'other servers' : 'all'),
  }),
  async apply(ctx, tx, { input, after, dryRun }) {
    const walk = walkOf(after, input)
    const { found, next, notes } =
      walk.of === 'own'
        ? await purgeOwn(ctx, tx, walk.after, dryRun)
        : await purgeCopies(ctx, tx, input.domain, walk.after, dryRun)
    return {
      next: next && JSON.stringify(next),
      seen: found.length,
      changed: found.length,
      bytes: found.reduce((sum, row) => sum + row.size, 0),
      notes,
    }
  },
})

/** Deletes all stored emoji of a server, with those of subdomains if `below` is true. Returns the number of deleted emoji. */
export const deleteEmojiOf = (ctx: Context, domain: string, below: boolean): Promise<number> =>
  inSteps(STEPS, (limit) =>
    ctx.db.tx(async (tx) => {
      const gone = await deleteEmojisOf(tx, { domain, below, limit })
      await releaseFiles(
        ctx,
        tx,
        gone.flatMap((row) => row.keys),
      )
      return gone.length
    }),
  )
