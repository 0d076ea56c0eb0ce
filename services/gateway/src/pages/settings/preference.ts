/** How one writes and reads: languages, who sees new posts, and what opens by itself. */
import {
  PreferenceChoices as Choices,
  type PreferenceChoices,
  preferenceChange,
  preferenceChoices,
} from '@murmuration/contracts/accounts'
import { languages, supportedLanguage } from '@murmuration/text'
import { type Option, select, tick } from '../core/choice.js'
import { problemsOf } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { languageNames, languageNow } from '../core/language.js'
import { type Desk, fieldOf, panel, type Settings } from '../core/settings-frame.js'

const HERE = '/settings/preferences'

const PRIVACY: readonly Option[] = [
  ['', 'Followers only if my account is locked, otherwise public'],
  ['public', 'Anyone'],
  ['unlisted', 'Quiet public (not in public timelines)'],
  ['private', 'Followers only'],
  ['direct', 'Mentioned people only'],
]
const QUOTES: readonly Option[] = [
  ['public', 'Anyone'],
  ['followers', 'Followers only'],
  ['nobody', 'Just me'],
]
const MEDIA: readonly Option[] = [
  ['default', 'Hide media marked as sensitive'],
  ['show_all', 'Always show media'],
  ['hide_all', 'Always hide media'],
]

/** Every language with its name, in the order of the reader's alphabet. */
const languageOptions = (): Option[] => {
  const { compare } = new Intl.Collator(languageNow())
  return [...languageNames(languages.map(({ code }) => code))].sort(([, a], [, b]) => compare(a, b))
}

const languageTick = ([code, name]: Option, on: boolean): Html =>
  html`<li><label><input type="checkbox" name="languages[]" value="${code}"${on ? html` checked` : ''}> ${name}</label></li>`

const formOf = (now: PreferenceChoices, proof: Html): Html => {
  const all = languageOptions()
  const read = new Set(now.chosenLanguages)
  return html`<form method="post" action="${HERE}">${proof}
${panel('You', select('locale', 'Language of e-mails', all, supportedLanguage(now.locale) ?? 'en'))}
${panel(
  'Writing',
  html`${select('privacy', 'Posting privacy', PRIVACY, now.privacy ?? '')}
${select('quote_policy', 'Who can quote', QUOTES, now.quotePolicy)}
${select('language', 'Posting language', [['', 'Same as the language of e-mails'], ...all], now.language ?? '')}
${tick('sensitive', 'Always mark media as sensitive', now.sensitive)}
${tick('show_application', 'Display the app from which you posted', now.showApplication)}
<p class="soft small">Apps can override these settings for each post.</p>`,
)}${panel(
  'Reading',
  html`${select('expand_media', 'Media display', MEDIA, now.expandMedia)}
${tick('expand_spoilers', 'Always expand posts marked with content warnings', now.expandSpoilers)}
${tick('autoplay_gifs', 'Auto-play animated GIFs', now.autoplayGifs)}
${tick('aggregate_reblogs', 'Group boosts in timelines', now.aggregateReblogs)}`,
)}${panel(
  'Filter languages',
  html`<p>Only posts in the selected languages appear in public timelines. Select none to show all languages. Your home timeline is not affected.</p>
<details${read.size ? html` open` : ''}><summary>Choose languages</summary><ul class="codes">${all.map((one) => languageTick(one, read.has(one[0])))}</ul></details>`,
)}<button type="submit">Save</button></form>`
}

const show = async ({ ctx, session, proof, show: write }: Desk, problem?: string): Promise<void> => {
  const now = await ctx.call(preferenceChoices, { session })
  write({ title: 'Preferences', ...(problem ? { problem } : {}), body: formOf(now, proof) })
}

/** Reads the preferences from the form, which omits boxes that are not ticked. */
const choicesIn = (form: Readonly<Record<string, unknown>>) => {
  const isTicked = (name: string) => fieldOf(form, name) === '1'
  return Choices.safeParse({
    locale: fieldOf(form, 'locale'),
    privacy: fieldOf(form, 'privacy') || null,
    quotePolicy: fieldOf(form, 'quote_policy'),
    language: fieldOf(form, 'language') || null,
    sensitive: isTicked('sensitive'),
    showApplication: isTicked('show_application'),
    expandMedia: fieldOf(form, 'expand_media'),
    expandSpoilers: isTicked('expand_spoilers'),
    autoplayGifs: isTicked('autoplay_gifs'),
    aggregateReblogs: isTicked('aggregate_reblogs'),
    chosenLanguages: form.languages ?? [],
  })
}

export const addPreferences = (settings: Settings): void => {
  settings.add('get', HERE, 'preferences', (desk) => show(desk))
  settings.add('post', HERE, 'preferences', async (desk, form) => {
    const { data: choices } = choicesIn(form)
    if (!choices) return show(desk, 'Choose one of the listed values.')
    try {
      await desk.ctx.call(preferenceChange, { session: desk.session, ...choices })
    } catch (error) {
      return show(desk, problemsOf(error).join(' '))
    }
    desk.done(HERE, 'Saved.')
  })
}
