/** Settings pages in the order of the navigation. */
import { type Message, msg } from '@murmuration/messages'
import type { Config } from '../../config.js'
import { providersOf } from './providers.js'

export interface Section {
  readonly id: string
  readonly path: string
  readonly label: Message
  /** Description of the settings page, for the overview of all settings pages. */
  readonly about: Message
  /** True if the settings page is shown only if an identity provider is enabled. */
  readonly providers?: true
}

export const SECTIONS = [
  { id: 'home', path: '/settings', label: msg('Overview'), about: msg('Your account and all settings.') },
  {
    id: 'preferences',
    path: '/settings/preferences',
    label: msg('Preferences'),
    about: msg('Languages, who sees what you write, and how you read.'),
  },
  {
    id: 'cleanup',
    path: '/statuses_cleanup',
    label: msg('Automated post deletion'),
    about: msg('Delete your old posts automatically.'),
  },
  {
    id: 'account',
    path: '/auth/edit',
    label: msg('E-mail and password'),
    about: msg('Change your e-mail address and your password.'),
  },
  {
    id: 'second-factor',
    path: '/settings/second_factor',
    label: msg('Two-factor authentication'),
    about: msg('Codes from an app, passkeys and security keys, so that a password alone is not enough.'),
  },
  {
    id: 'providers',
    path: '/settings/providers',
    label: msg('Other logins'),
    about: msg('Providers that sign you in here.'),
    providers: true,
  },
  {
    id: 'sessions',
    path: '/settings/sessions',
    label: msg('Sessions'),
    about: msg('Browsers you are signed in with, and recent sign-ins.'),
  },
  {
    id: 'applications',
    path: '/oauth/authorized_applications',
    label: msg('Apps'),
    about: msg('Apps that can access your account, and their permissions.'),
  },
  {
    id: 'mail',
    path: '/settings/mail',
    label: msg('E-mails'),
    about: msg('Choose which e-mail notifications you receive.'),
  },
  {
    id: 'invites',
    path: '/invites',
    label: msg('Invite people'),
    about: msg('Invite links with which others can sign up.'),
  },
  {
    id: 'strikes',
    path: '/settings/strikes',
    label: msg('Moderation decisions'),
    about: msg('Decisions of the moderators about your account, and your appeals.'),
  },
  {
    id: 'data',
    path: '/settings/export',
    label: msg('Import and export'),
    about: msg('Export your data, or import data from another server.'),
  },
  {
    id: 'move',
    path: '/settings/migration',
    label: msg('Move account'),
    about: msg('Move to or from another server, with your followers.'),
  },
  {
    id: 'delete',
    path: '/settings/delete',
    label: msg('Delete account'),
    about: msg('Delete your account permanently.'),
  },
] as const satisfies readonly Section[]

/** Settings pages that are enabled on this server. */
export const sectionsOf = (config: Config): readonly Section[] => {
  const some = providersOf(config).length > 0
  return SECTIONS.filter((one: Section) => some || !one.providers)
}

export type SectionId = (typeof SECTIONS)[number]['id']
