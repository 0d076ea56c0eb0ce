/** Marks accounts of deceased persons, which stay and can no longer act. */
import type { Tx } from '@murmuration/db'
import type { Context } from '../context.js'
import { announceAccount } from '../core/account/announce.js'
import { setMemorial } from './store.js'

/** Marks an account as one of a deceased person, or removes the mark. Returns false if nothing changed. */
export const markMemorial = async (ctx: Context, tx: Tx, id: string, memorial: boolean): Promise<boolean> => {
  const isChanged = await setMemorial(tx, id, memorial)
  if (isChanged) await announceAccount(ctx, tx, id, true)
  return isChanged
}
