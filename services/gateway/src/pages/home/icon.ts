/** SVG icons of the pages below `/home`, in the colour of the text. */
import { type Html, html } from '../core/html.js'

const PATHS = {
  reply: 'M9 5 4 10l5 5v-3.2c5 0 8.4 1.6 11 5.2-1-6-4.5-9.9-11-10.8z',
  boost: 'M7 7h9v4l5-5.5L16 0v4H4v8h3z M17 17H8v-4l-5 5.5L8 24v-4h12v-8h-3z',
  favourite: 'm12 2 3 6.4 7 .9-5.1 4.8 1.3 6.9L12 17.6 5.8 21l1.3-6.9L2 9.3l7-.9z',
  bookmark: 'M6 2h12v20l-6-5-6 5z',
  quote: 'M4 17h4l3-6V5H3v8h4z m10 0h4l3-6V5h-8v8h4z',
  more: 'M4 10h4v4H4z m6 0h4v4h-4z m6 0h4v4h-4z',
  lock: 'M7 10V7a5 5 0 0 1 10 0v3h2v11H5V10z m2.5 0h5V7a2.5 2.5 0 0 0-5 0z',
  unlisted: 'M15 3a9 9 0 1 0 6 12A8 8 0 0 1 15 3z',
  mentioned: 'M3 5h18v13H3z m2.5 2L12 12.5 18.5 7z',
} as const
export type IconName = keyof typeof PATHS

/** SVG definitions of all icons. A page contains them once. */
export const icons = (): Html =>
  html`<svg hidden>${Object.entries(PATHS).map(
    ([name, path]) => html`<symbol id="i-${name}" viewBox="0 0 24 24"><path d="${path}"></path></symbol>`,
  )}</svg>`

/** One icon. Screen readers skip the icon, because text with the same meaning is beside it. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" width="20" height="20" aria-hidden="true"><use href="#i-${name}"></use></svg>`
