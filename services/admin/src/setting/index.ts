/** Names of this module that other modules use. */
export { isPublished, publishedOf, settingsOf } from './rules.js'
export { deleteSetting, lockSettings, putSettings, settingRow, settingRows } from './store.js'
