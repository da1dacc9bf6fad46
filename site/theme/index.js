import { h } from 'vue';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { searchOptions } from './search.mjs';
import './style.css';

const EXAMPLE = `$ curl $API/v1/profiles/cus_01kaf… \\
    -H "Authorization: Bearer $TOKEN"

{
  "facts": [
    {
      "attribute": "home_city",
      "resolved_value": "Lisbon",
      "confidence": 0.94,
      "resolution_method": "accuracy_vote",
      "consent_purpose": "personalization"
    }
  ]
}`;

const WITHDRAWN = `$ curl -G $API/v1/profiles/cus_01kaf… \\
    -d consent_purpose=analytics

403  "code": "consent_denied"`;

/** What the service is, beside what it says of itself. Each part scrolls by itself in a narrow window. */
const example = () =>
  h('div', { class: 'home-example' }, [
    h('pre', { tabindex: 0, role: 'group', 'aria-label': 'A read' }, EXAMPLE),
    h('pre', { class: 'denied', tabindex: 0, role: 'group', 'aria-label': 'One without consent' }, WITHDRAWN),
  ]);

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'home-hero-image': example }),
  enhanceApp: ({ siteData }) => {
    const { themeConfig } = siteData.value;
    const search = { provider: 'local', options: { miniSearch: { searchOptions } } };
    siteData.value = { ...siteData.value, themeConfig: { ...themeConfig, search } };
  },
};
