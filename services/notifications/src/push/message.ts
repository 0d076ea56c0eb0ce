/** The text that is encrypted into a push message. */
import type { Notification } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { excerpt, htmlToPlainText, withoutQuoteLine } from '@murmuration/text'
import { firstSaying, titleOf } from '../core/words.js'

/** The notification id is written digit by digit as a JSON number, the way clients know it. */
export const pushMessage = (notification: Notification, token: string, locale: string): string => {
  const { account, type } = notification
  const status = 'status' in notification ? notification.status : null
  const body = firstSaying([
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
