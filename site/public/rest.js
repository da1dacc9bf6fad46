const dark = matchMedia('(prefers-color-scheme: dark)').matches;
const font = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const theme = {
  colors: {
    primary: { main: dark ? '#8cc4ec' : '#1f5f8b' },
    ...(dark
      ? {
          text: { primary: '#dfdfd6', secondary: '#a8a8b0' },
          border: { dark: '#3c3f44', light: '#2e2e32' },
          http: { get: '#62b47a', post: '#6aa9e0', put: '#b08ee0', delete: '#e07a7a', patch: '#d9a441' },
        }
      : {}),
  },
  spacing: { sectionVertical: 24 },
  typography: {
    fontSize: '15px',
    fontFamily: font,
    headings: { fontFamily: font, fontWeight: '600' },
    code: {
      color: dark ? '#a9d3f2' : '#17496b',
      fontFamily: 'ui-monospace, Menlo, Consolas, monospace',
      backgroundColor: dark ? '#2a2a2f' : '#f3f5f7',
    },
  },
  ...(dark
    ? {
        sidebar: { backgroundColor: '#161618', textColor: '#dfdfd6' },
        rightPanel: { backgroundColor: '#161618' },
        schema: { nestedBackground: '#222226', typeNameColor: '#a8a8b0', typeTitleColor: '#a8a8b0' },
      }
    : { rightPanel: { backgroundColor: '#1f2a33' } }),
};

Redoc.init(
  '/v1/openapi.json',
  { disableSearch: true, hideDownloadButton: true, hideLoading: true, expandResponses: '200,201,202', theme },
  document.querySelector('#reference'),
);
