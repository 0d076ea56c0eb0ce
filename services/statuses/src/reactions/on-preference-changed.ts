/** Whether others see the app a person writes with follows the person’s preference. */
import { postingDefaults, preferencesChanged } from '@murmuration/contracts/accounts'
import { react } from '../doors.js'
import { showApplication } from '../store/author-flag.js'

export const onPreferenceChanged = react(preferencesChanged, 'on-preference-changed', async (ctx, { id }) => {
  const { show_application } = await ctx.call(postingDefaults, { id })
  await showApplication(ctx.db, id, show_application)
})
