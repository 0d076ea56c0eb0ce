/** The form that brings back what a passkey or security key answers; it needs JavaScript, and says so where there is none. */
import { type Html, html } from '../html.js'
import { say } from '../language.js'

export const keyForm = (options: {
  /** `get` asks a known key, `create` makes a new one. */
  kind: 'get' | 'create'
  /** JSON text of what the browser is to ask. */
  ask: string
  action: string
  /** Hidden fields, the proof among them. */
  fields: Html
  label: string
}): Html => html`<form id="key-form" method="post" action="${options.action}" data-kind="${options.kind}" data-options="${options.ask}" data-unable="${say('This browser knows no passkeys, or this address is not safe enough for them.')}" data-known="${say('This key is known already.')}" data-silent="${say('The key did not answer. Try again.')}" hidden>
${options.fields}<input type="hidden" name="credential" value="">
<button type="submit">${say(options.label)}</button><p id="key-problem" class="bad" role="alert" hidden></p></form>
<noscript><p class="soft">Passkeys and security keys need JavaScript, which is off in this browser.</p></noscript>`
