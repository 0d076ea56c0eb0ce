/** Server settings below `/admin`: one page for each topic. The changed settings of a page are saved together. */
import { showAccount } from '@murmuration/contracts/accounts'
import {
  getSettings,
  SETTING_TOPICS,
  type ServerSettings,
  type SettingText,
  type SettingTopic,
  setSettings,
} from '@murmuration/contracts/admin'
import { ErrorText, type Failure, fieldText, problemsOf } from '@murmuration/contracts/kit'
import { changedFields, shownFields } from '../core/changed-field.js'
import { errorMessage, failureMessage } from '../core/error-message.js'
import { type Html, html } from '../core/html.js'
import { labels, t } from '../core/language.js'
import { choiceOf, isOn, lineOf, linesOf, problemOf, switchOf, textIn } from './controls.js'
import { type Admin, type Fields, refusalOf, type StaffRequest } from './frame.js'
import { tabs } from './table.js'

const HERE = '/admin/settings'
const pathOf = ({ path }: SettingTopic): string => (path === '' ? HERE : `${HERE}/${path}`)
const TABS = SETTING_TOPICS.map((topic) => [pathOf(topic), topic.title] as const)

const entriesOf = (topic: SettingTopic) => Object.entries(topic.settings) as [keyof ServerSettings, SettingText][]

const shownValue = (value: unknown): string =>
  value === null || value === undefined ? '' : Array.isArray(value) ? value.join(', ') : String(value)

/** The settings with the handle of the contact account in place of its id. */
const withHandle = async ({ callApi }: StaffRequest, settings: ServerSettings): Promise<Record<string, unknown>> => {
  const id = settings.site_contact_account
  if (id === null) return settings
  const account = await callApi(showAccount, { id }).catch(() => null)
  return { ...settings, site_contact_account: account === null ? id : `@${account.acct}` }
}

const control = (name: string, text: SettingText, value: unknown, problem: string | null): Html => {
  const base = { name, label: t(text.title), help: t(text.help), value: shownValue(value), problem }
  if (text.kind === 'switch') return switchOf({ ...base, value: '1', on: value === true })
  if (text.kind === 'choice') return choiceOf(base, Object.fromEntries(labels(Object.entries(text.choices))))
  if (text.kind === 'number') return lineOf({ ...base, type: 'number', after: t(text.unit) })
  if (text.kind === 'lines') return linesOf({ ...base, rows: 3 })
  if (text.kind === 'markdown') return linesOf({ ...base, rows: 10, max: 100_000 })
  return lineOf({ ...base, max: 10_000 })
}

/** Value of a setting from the form, as input of the operation. */
const valueIn = (form: Fields, name: string, { kind }: SettingText): unknown => {
  const text = textIn(form, name)
  if (kind === 'switch') return isOn(form, name)
  if (kind === 'codes') return text.split(/[\s,]+/).filter((code) => code !== '')
  return kind === 'account' || kind === 'number' ? text.trim() || null : text
}

/** Value that the form sends for a setting if the user does not change it. */
const unchangedValue = (name: string, text: SettingText, value: unknown): unknown =>
  valueIn({ [name]: text.kind === 'switch' ? (value === true ? '1' : '') : shownValue(value) }, name, text)

/** The translated error about one setting, without the setting's name; null if the refusal contains no such error. */
const problemAbout = (refusal: Failure | null, name: string): string | null => {
  const field = fieldText(name).message
  for (const { message, args } of refusal === null ? [] : problemsOf(refusal)) {
    if (args.problem instanceof ErrorText && String(args.field) === field) return errorMessage(args.problem)
    // A service of an earlier release sends the error only as English text.
    if (message.startsWith(`${field} `)) return errorMessage(message.slice(field.length + 1))
  }
  return null
}

const show = async (
  request: StaffRequest,
  topic: SettingTopic,
  refused: { form: Fields; refusal: Failure } | null = null,
): Promise<void> => {
  const entries = entriesOf(topic)
  const values: Readonly<Record<string, unknown>> = refused
    ? Object.fromEntries(entries.map(([name, text]) => [name, valueIn(refused.form, name, text)]))
    : await withHandle(request, (await request.callApi(getSettings, {})).settings)
  const unchanged = entries.map(([name, text]) => [name, unchangedValue(name, text, values[name])])
  const problems = new Map(entries.map(([name]) => [name, problemAbout(refused?.refusal ?? null, name)]))
  const isPlaced = [...problems.values()].some((one) => one !== null)
  request.show({
    title: t('Server settings'),
    current: 'settings',
    refused: Boolean(refused),
    body: html`${tabs(t('Server settings'), labels(TABS), pathOf(topic))}<form class="card edit" method="post" action="${pathOf(topic)}">${request.csrfField}${problemOf(
      refused && (isPlaced ? t('Nothing was saved. See the marked fields.') : failureMessage(refused.refusal)),
    )}${shownFields(Object.fromEntries(unchanged), refused?.form)}${entries.map(([name, text]) => control(name, text, values[name], problems.get(name) ?? null))}<button type="submit">${t('Save')}</button></form>`,
  })
}

const addTopic = (admin: Admin, topic: SettingTopic): void => {
  admin.add('get', pathOf(topic), 'manage_settings', (request) => show(request, topic))
  admin.add('post', pathOf(topic), 'manage_settings', async (request, form) => {
    const given = Object.fromEntries(entriesOf(topic).map(([name, text]) => [name, valueIn(form, name, text)]))
    const settings = changedFields(form, given)
    const isChanged = Object.keys(settings).length > 0
    const refusal = isChanged ? await refusalOf(() => request.callApi(setSettings, { settings })) : null
    return refusal
      ? show(request, topic, { form, refusal })
      : request.done(pathOf(topic), t('The settings were saved.'))
  })
}

export const addSettings = (admin: Admin): void => {
  for (const topic of SETTING_TOPICS) addTopic(admin, topic)
}
