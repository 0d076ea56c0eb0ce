/** Does not suggest an account to the viewer again. */
import { suggestionDismiss } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { insertDismissal } from '../../store/suggestion.js'

export const dismissSuggestion = handle(suggestionDismiss, async (ctx, viewer, { account_id }) => {
  await ctx.db.tx((tx) => insertDismissal(tx, viewer.id, account_id))
  return {}
})
