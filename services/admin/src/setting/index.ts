/** The exports of this module for other modules. */
export { isPublished, isWhole, publishedOf, settingsOf } from './rules.js'
export { deleteSetting, lockSettings, putSettings, settingRow, settingRows } from './store.js'
