/** Undoes actions of staff on relays, for the audit log. A relay that takes part again is asked anew, and may refuse. */
import { relayRestore } from '@murmuration/contracts/federation'
import { isId } from '@murmuration/contracts/kit'
import { restorationOf, stateIn } from '@murmuration/kernel'
import { z } from 'zod'
import type { Context } from '../../context.js'
import { handle } from '../../doors.js'
import { deleteRelay, insertRelay, type RelayRow, relayById, relayByUrl } from '../../store/relay.js'
import { recordedOf } from './announce.js'
import { leave } from './disable.js'
import { ask } from './enable.js'

const Recorded = z.object({
  url: z.string(),
  style: z.enum(['inbox', 'actor']),
  inbox_url: z.string(),
  actor_uri: z.string().nullable(),
  enabled: z.boolean(),
  created_at: z.string().transform((text) => new Date(text)),
})
type Recorded = z.output<typeof Recorded>

/** Stores a removed relay again; null when another one has its address. */
const addAgain = async (ctx: Context, id: string, to: Recorded): Promise<RelayRow | null> => {
  await insertRelay(ctx.db, { id, ...to, at: to.created_at })
  const stored = await relayByUrl(ctx.db, to.url)
  return stored?.id === id ? stored : null
}

/** Finishes an attempt that ended after it had stored a removed relay again. */
const finish = async (ctx: Context, row: RelayRow, before: unknown, dry: boolean) => {
  const recorded = Recorded.safeParse(before)
  if (!dry && recorded.data?.enabled && !recordedOf(row).enabled) await ask(ctx, row)
  return { outcome: 'already' as const }
}

export const restore = handle(relayRestore, async (ctx, _viewer, { targetId, before, after, dry }) => {
  const id = targetId !== null && isId(targetId) ? targetId : '0'
  const row = await relayById(ctx.db, id)
  if (row !== null && (after === null || after === undefined)) return finish(ctx, row, before, dry)
  const current = stateIn(Recorded, row && recordedOf(row))
  // The address of its actor is learned from its response.
  const restoration = restorationOf(Recorded, { before, after }, current, ['actor_uri'])
  if (typeof restoration === 'string') return { outcome: restoration }
  const { to } = restoration
  if (row === null && to && (await relayByUrl(ctx.db, to.url))) return { outcome: 'is_taken' as const }
  if (dry) return { outcome: 'restored' as const }
  if (to === null) {
    if (row) await leave(ctx, row)
    await deleteRelay(ctx.db, id)
    return { outcome: 'restored' as const }
  }
  const stored = row ?? (await addAgain(ctx, id, to))
  if (stored === null) return { outcome: 'is_taken' as const }
  if (to.enabled !== recordedOf(stored).enabled) await (to.enabled ? ask(ctx, stored) : leave(ctx, stored))
  return { outcome: 'restored' as const }
})
