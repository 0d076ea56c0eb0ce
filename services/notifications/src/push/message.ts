/** Renders the JSON payload of a push message, before encryption. */
import type { Notification } from '@murmuration/contracts/entities'
import { limits } from '@murmuration/contracts/limits'
import { excerpt, htmlToPlainText, withoutQuoteLine } from '@murmuration/text'
import { firstNonBlank, titleOf } from '../core/titles.js'

/** Values of a push message that do not come from the notification. */
export interface PushValues {
  token: string
  locale: string
  /** URL of the icon if the URL of the sender's picture is too long. */
  missingIcon: string
}

/**
 * Returns the payload of a push message, with at most `pushBytes` bytes. `notification_id` is a JSON number, which is
 * added as text, because a JavaScript number would lose digits.
 */
export const pushMessage = (notification: Notification, { token, locale, missingIcon }: PushValues): string => {
  const { account, type } = notification
  const status = 'status' in notification ? notification.status : null
  const body = firstNonBlank([
    () => status?.spoiler_text ?? '',
    () => htmlToPlainText(withoutQuoteLine(status?.content ?? '')),
    () => htmlToPlainText(account.note),
  ])
  const title = titleOf(type, account.display_name || account.username, locale)
  const withIcon = (icon: string): string => {
    const text = JSON.stringify({
      access_token: token,
      preferred_locale: locale,
      notification_type: type,
      icon,
      title,
      body: excerpt(body, limits.delivery.pushBodyCharacters),
    })
    return `${text.slice(0, -1)},"notification_id":${notification.id}}`
  }
  // Title and body have limits, so that the URL of the icon is the only long value.
  const full = withIcon(account.avatar_static)
  return Buffer.byteLength(full) <= limits.delivery.pushBytes ? full : withIcon(missingIcon)
}
