/** Returns the privacy policy as HTML and Markdown. */
import { privacyPolicy as privacyPolicyOperation } from '@murmuration/contracts/admin'
import { handle } from '../handlers.js'
import { settingRow, settingsOf } from '../setting/index.js'
import { DEFAULT_POLICY_CHANGED_AT, defaultPrivacyPolicy } from './default-policy.js'

const NAME = 'site_terms'

export const privacyPolicy = handle(privacyPolicyOperation, async (ctx, _viewer, { lang }) => {
  const row = await settingRow(ctx.db, NAME)
  const written = row ? settingsOf([row])[NAME] : ''
  const domain = ctx.site.localDomain
  const text = written === '' ? defaultPrivacyPolicy(lang, domain) : written.replaceAll('%{domain}', domain)
  const updatedAt = row && written !== '' ? row.updated_at.toISOString() : DEFAULT_POLICY_CHANGED_AT
  return { updated_at: updatedAt, content: ctx.markdown.html(text), text }
})
