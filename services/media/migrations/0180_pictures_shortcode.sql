-- expand: shortcodes of custom emoji of other servers, so that staff can find and copy them
alter table pictures add column if not exists shortcode text;
