/** Renders the JSON payload of a push message, before encryption. */
import type { Notification } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { excerpt, htmlToPlainText, withoutQuoteLine } from '@murmuration/text'
import { firstNonBlank, titleOf } from '../core/titles.js'

/**
 * Returns the payload of a push message. `notification_id` is a JSON number, which is added as text, because a
 * JavaScript number would lose digits.
 */
export const pushMessage = (notification: Notification, token: string, locale: string): string => {
  const { account, type } = notification
  const status = 'status' in notification ? notification.status : null
  const body = firstNonBlank([
    () => status?.spoiler_text ?? '',
    () => htmlToPlainText(withoutQuoteLine(status?.content ?? '')),
    () => htmlToPlainText(account.note),
  ])
  const text = JSON.stringify({
    access_token: token,
    preferred_locale: locale,
    notification_type: type,
    icon: account.avatar_static,
    title: titleOf(type, account.display_name || account.username, locale),
    body: excerpt(body, limits.delivery.pushBodyCharacters),
  })
  return `${text.slice(0, -1)},"notification_id":${notification.id}}`
}
