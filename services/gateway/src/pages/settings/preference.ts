/** Settings page of posting and reading preferences. */
import {
  PreferenceChoices as Choices,
  changePreferences,
  type PreferenceChoices,
  preferenceChoices,
} from '@murmuration/contracts/accounts'
import { type Message, msg } from '@murmuration/messages'
import { languages, supportedLanguage } from '@murmuration/text'
import { changedFields, shownFields } from '../core/changed-field.js'
import { checkbox, type Option, select } from '../core/choice.js'
import { problemsOf } from '../core/field.js'
import { type Html, html } from '../core/html.js'
import { labels, languageNames, languageNow, t } from '../core/language.js'
import { fieldOf, panel, type Settings, type SettingsContext } from '../core/settings-frame.js'

const HERE = '/settings/preferences'

const PRIVACY: readonly (readonly [string, Message])[] = [
  ['', msg('Followers only if my account is locked, otherwise public')],
  ['public', msg('Anyone')],
  ['unlisted', msg('Quiet public (not in public timelines)')],
  ['private', msg('Followers only')],
  ['direct', msg('Mentioned people only')],
]
const QUOTES: readonly (readonly [string, Message])[] = [
  ['public', msg('Anyone')],
  ['followers', msg('Followers only')],
  ['nobody', msg('Just me')],
]
const MEDIA: readonly (readonly [string, Message])[] = [
  ['default', msg('Hide media marked as sensitive')],
  ['show_all', msg('Always show media')],
  ['hide_all', msg('Always hide media')],
]

/** All languages with their names, sorted by the collation of the page's language. */
const languageOptions = (): Option[] => {
  const { compare } = new Intl.Collator(languageNow())
  return [...languageNames(languages.map(({ code }) => code))].sort(([, a], [, b]) => compare(a, b))
}

/** Names of time zones. They are not translated. */
const TIME_ZONES: readonly Option[] = ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => [name, name])

/** The time zone that the form shows. */
const timeZoneOf = ({ timeZone }: PreferenceChoices): string => timeZone ?? 'UTC'

const languageTick = ([code, name]: Option, on: boolean): Html =>
  html`<li><label><input type="checkbox" name="languages[]" value="${code}"${on ? html` checked` : ''}> ${name}</label></li>`

/** The language that the form shows as the language of e-mails. */
const localeOf = ({ locale }: PreferenceChoices): string => supportedLanguage(locale) ?? 'en'

const formOf = (now: PreferenceChoices, csrfField: Html): Html => {
  const all = languageOptions()
  const read = new Set(now.chosenLanguages)
  return html`<form method="post" action="${HERE}">${csrfField}${shownFields({ ...now, locale: localeOf(now), chosenLanguages: now.chosenLanguages.toSorted(), timeZone: timeZoneOf(now) })}
${panel(
  t('You'),
  html`${select('locale', t('Language of e-mails'), all, localeOf(now))}
${select('time_zone', t('Time zone'), TIME_ZONES, timeZoneOf(now))}
<p class="muted small">${t('Searches for posts of a day use the time zone.')}</p>`,
)}
${panel(
  t('Writing'),
  html`${select('privacy', t('Posting privacy'), labels(PRIVACY), now.privacy ?? '')}
${select('quote_policy', t('Who can quote'), labels(QUOTES), now.quotePolicy)}
${select('language', t('Posting language'), [['', t('Same as the language of e-mails')], ...all], now.language ?? '')}
${checkbox('sensitive', t('Always mark media as sensitive'), now.sensitive)}
${checkbox('show_application', t('Display the app from which you posted'), now.showApplication)}
<p class="muted small">${t('Apps can override these settings for each post.')}</p>`,
)}${panel(
  t('Reading'),
  html`${select('expand_media', t('Media display'), labels(MEDIA), now.expandMedia)}
${checkbox('expand_spoilers', t('Always expand posts marked with content warnings'), now.expandSpoilers)}
${checkbox('autoplay_gifs', t('Auto-play animated GIFs'), now.autoplayGifs)}
${checkbox('aggregate_reblogs', t('Group boosts in timelines'), now.aggregateReblogs)}`,
)}${panel(
  t('Filter languages'),
  html`<p>${t('Only posts in the selected languages appear in public timelines. Select none to show all languages. Your home timeline is not affected.')}</p>
<details${read.size ? html` open` : ''}><summary>${t('Choose languages')}</summary><ul class="codes">${all.map((one) => languageTick(one, read.has(one[0])))}</ul></details>`,
)}<button type="submit">${t('Save')}</button></form>`
}

const show = async ({ ctx, session, csrfField, show: write }: SettingsContext, problem?: string): Promise<void> => {
  const now = await ctx.call(preferenceChoices, { session })
  write({ title: t('Preferences'), ...(problem ? { problem } : {}), body: formOf(now, csrfField) })
}

/** Reads the preferences that the user changed in the form. A missing checkbox is false. */
const choicesIn = (form: Readonly<Record<string, unknown>>) => {
  const isTicked = (name: string) => fieldOf(form, name) === '1'
  const given = {
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
    chosenLanguages: [form.languages ?? []].flat().toSorted(),
    // A form of an earlier release has no time zone.
    ...(form.time_zone === undefined ? {} : { timeZone: fieldOf(form, 'time_zone') }),
  }
  return Choices.partial().safeParse(changedFields(form, given))
}

export const addPreferences = (settings: Settings): void => {
  settings.add('get', HERE, 'preferences', (context) => show(context))
  settings.add('post', HERE, 'preferences', async (context, form) => {
    const { data: choices } = choicesIn(form)
    if (!choices) return show(context, t('Choose one of the listed values.'))
    try {
      await context.ctx.call(changePreferences, { session: context.session, ...choices })
    } catch (error) {
      return show(context, problemsOf(error).join(' '))
    }
    context.done(HERE, t('Saved.'))
  })
}
