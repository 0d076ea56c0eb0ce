/** Returns the privacy policy as HTML and Markdown. */
import { privacyPolicy as privacyPolicyOperation } from '@murmuration/contracts/admin'
import { handle } from '../handlers.js'
import { settingRow, settingsOf } from '../setting/index.js'
import { DEFAULT_PRIVACY_POLICY } from './privacy-policy.rules.js'

const NAME = 'site_terms'

export const privacyPolicy = handle(privacyPolicyOperation, async (ctx) => {
  const row = await settingRow(ctx.db, NAME)
  const written = row ? settingsOf([row])[NAME] : ''
  const source = written === '' ? DEFAULT_PRIVACY_POLICY.text : written
  const text = source.replaceAll('%{domain}', ctx.site.localDomain)
  const updatedAt = row && written !== '' ? row.updated_at.toISOString() : DEFAULT_PRIVACY_POLICY.updatedAt
  return { updated_at: updatedAt, content: ctx.markdown.html(text), text }
})
