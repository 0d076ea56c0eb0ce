/** Servers that this one limits or blocks, as far as staff shows them. */
import { domainBlockListPublic } from '@murmuration/contracts/admin'
import { notFound } from '@murmuration/contracts/kit'
import { settingsOf } from '../../domain/setting.js'
import { handle } from '../../doors.js'
import { shownBlocks } from '../../store/domain-block.js'
import { settingRows } from '../../store/setting.js'
import { publicBlockOf } from '../../views/domain-block.js'

type Shown = 'disabled' | 'users' | 'all'
const showsTo = (signedIn: boolean, shown: Shown): boolean => shown === 'all' || (shown === 'users' && signedIn)

export const listPublic = handle(domainBlockListPublic, async (ctx, viewer) => {
  const settings = settingsOf(await settingRows(ctx.db))
  const signedIn = viewer !== null
  if (!showsTo(signedIn, settings.show_domain_blocks)) throw notFound('Not Found')
  const withReason = showsTo(signedIn, settings.show_domain_blocks_rationale)
  return (await shownBlocks(ctx.db)).map((row) => publicBlockOf(row, withReason))
})
