/** Languages in which people want to read public statuses. */
import { chosenLanguages } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { languagesOf } from '../../store/preference.js'

export const getChosenLanguages = handle(chosenLanguages, async (ctx, _viewer, { ids }) => ({
  chosen: Object.fromEntries(await languagesOf(ctx.db, ids)),
}))
