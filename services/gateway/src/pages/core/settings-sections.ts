/** The pages of the settings, in the order of their list. */
import type { Config } from '../../config.js'
import { providersOf } from './providers.js'

export interface Section {
  readonly id: string
  readonly path: string
  readonly label: string
  /** Description of the section, for the overview. */
  readonly about: string
  /** Only where people may sign in with other providers. */
  readonly providers?: true
}

export const SECTIONS = [
  { id: 'home', path: '/settings', label: 'Overview', about: 'Your account and all settings.' },
  {
    id: 'preferences',
    path: '/settings/preferences',
    label: 'Preferences',
    about: 'Languages, who sees what you write, and how you read.',
  },
  {
    id: 'cleanup',
    path: '/statuses_cleanup',
    label: 'Automated post deletion',
    about: 'Delete your old posts automatically.',
  },
  {
    id: 'account',
    path: '/auth/edit',
    label: 'E-mail and password',
    about: 'Change your e-mail address and your password.',
  },
  {
    id: 'second-factor',
    path: '/settings/second_factor',
    label: 'Two-factor authentication',
    about: 'Codes from an app, passkeys and security keys, so that a password alone is not enough.',
  },
  {
    id: 'providers',
    path: '/settings/providers',
    label: 'Other logins',
    about: 'Providers that sign you in here.',
    providers: true,
  },
  {
    id: 'sessions',
    path: '/settings/sessions',
    label: 'Sessions',
    about: 'Browsers you are signed in with, and recent sign-ins.',
  },
  {
    id: 'applications',
    path: '/oauth/authorized_applications',
    label: 'Apps',
    about: 'Apps that can access your account, and their permissions.',
  },
  {
    id: 'mail',
    path: '/settings/mail',
    label: 'E-mails',
    about: 'Choose which e-mail notifications you receive.',
  },
  {
    id: 'invites',
    path: '/invites',
    label: 'Invite people',
    about: 'Invite links with which others can sign up.',
  },
  {
    id: 'strikes',
    path: '/settings/strikes',
    label: 'Moderation decisions',
    about: 'Decisions of the moderators about your account, and your appeals.',
  },
  {
    id: 'data',
    path: '/settings/export',
    label: 'Import and export',
    about: 'Export your data, or import data from another server.',
  },
  {
    id: 'move',
    path: '/settings/migration',
    label: 'Move account',
    about: 'Move to or from another server, with your followers.',
  },
  {
    id: 'delete',
    path: '/settings/delete',
    label: 'Delete account',
    about: 'Delete your account permanently.',
  },
] as const satisfies readonly Section[]

/** The pages that there are on this server. */
export const sectionsOf = (config: Config): readonly Section[] => {
  const some = providersOf(config).length > 0
  return SECTIONS.filter((one: Section) => some || !one.providers)
}

export type SectionId = (typeof SECTIONS)[number]['id']
