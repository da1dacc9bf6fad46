/**
 * What screen readers and keyboards miss in the components of VitePress 1.6.4, which has no option for it:
 * the file of the component, what it has, and what it has instead.
 */
const CHANGES = [
  // The first page and that of an unknown address have no main landmark.
  ['VPHome.vue', 'class="VPHome"', 'role="main" class="VPHome"'],
  ['NotFound.vue', '<div class="NotFound">', '<div class="NotFound" role="main">'],
  // A group of the sidebar that opens and closes is a button that tells whether it is open. Every group was a
  // button, and the arrow a second one inside.
  [
    'VPSidebarItem.vue',
    "isLink.value ? undefined : 'button'",
    "collapsible.value && !isLink.value ? 'button' : undefined",
  ],
  [
    'VPSidebarItem.vue',
    ':tabindex="item.items && 0"',
    ':tabindex="itemRole && 0" :aria-expanded="itemRole && !collapsed"',
  ],
  ['VPSidebarItem.vue', / *role="button"\n *aria-label="toggle section"\n/, ' aria-hidden="true"\n'],
  ['VPSidebarItem.vue', / *@keydown\.enter="onCaretClick"\n *tabindex="0"\n/, ''],
  // The name of the button to search is "Search"; the style sheet shows the key.
  [
    'VPNavBarSearchButton.vue',
    '<kbd class="DocSearch-Button-Key">K</kbd>',
    '<kbd class="DocSearch-Button-Key"></kbd>',
  ],
  // The search is a dialog, not a button. What is chosen in its list is the link, named by what it shows.
  [
    'VPLocalSearchBox.vue',
    /role="button"\s+:aria-owns="[^"]*"\s+aria-expanded="true"\s+aria-haspopup="listbox"/,
    'role="dialog" aria-modal="true"',
  ],
  [
    'VPLocalSearchBox.vue',
    /:id="'localsearch-item-' \+ index"\s+:aria-selected="[^"]*"\s+role="option"/,
    'role="presentation"',
  ],
  [
    'VPLocalSearchBox.vue',
    `:aria-label="[...p.titles, p.title].join(' > ')"`,
    `role="option" :id="'localsearch-item-' + index" :aria-selected="selectedIndex === index"`,
  ],
  // The signs of the keys have names that their element cannot have.
  [
    'VPLocalSearchBox.vue',
    'class="search-keyboard-shortcuts"',
    'class="search-keyboard-shortcuts" aria-hidden="true"',
  ],
];

/** Changes the components as they are built. Fails where one is not as it was, as after an update. */
export function readableTheme() {
  const left = new Set(CHANGES);
  return {
    name: 'readable-theme',
    enforce: 'pre',
    transform(code, id) {
      let changed = code;
      for (const change of CHANGES) {
        const [file, from, to] = change;
        if (!id.endsWith(`/theme-default/${file}`) && !id.endsWith(`/theme-default/components/${file}`))
          continue;
        if (changed.split(from).length !== 2) this.error(`${file} does not have once: ${from}`);
        changed = changed.replace(from, to);
        left.delete(change);
      }
      return changed === code ? undefined : { code: changed, map: null };
    },
    buildEnd(error) {
      for (const [file] of error ? [] : left) this.error(`${file} was not built.`);
    },
  };
}
