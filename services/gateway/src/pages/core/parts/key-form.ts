/** Form that posts the response of a passkey or security key. The form needs JavaScript, and shows a notice without it. */
import { type Html, html } from '../html.js'
import { t } from '../language.js'

export const keyForm = (options: {
  /** `get` signs in with a registered key, `create` registers a new one. */
  kind: 'get' | 'create'
  /** WebAuthn options as JSON text. */
  callApi: string
  action: string
  /** Hidden fields, including the CSRF token. */
  fields: Html
  label: string
}): Html => html`<form id="key-form" method="post" action="${options.action}" data-kind="${options.kind}" data-options="${options.callApi}" data-unable="${t('This browser knows no passkeys, or this address is not safe enough for them.')}" data-known="${t('This security key is already registered.')}" data-silent="${t('The security key did not respond. Please try again.')}" hidden>
${options.fields}<input type="hidden" name="credential" value="">
<button type="submit">${options.label}</button><p id="key-problem" class="bad" role="alert" hidden></p></form>
<noscript><p class="muted">${t('Passkeys and security keys need JavaScript, which is off in this browser.')}</p></noscript>`
