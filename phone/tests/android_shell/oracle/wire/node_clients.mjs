// Calls the functions of clients for node with own values: `node node_clients.mjs CLIENT SERIAL PORT ADB`.
// Runs beside the clients' node_modules, without this project; an error of one call keeps none from being made.

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [client, serial, port, adb] = process.argv.slice(2);
const home = `${process.cwd()}/node_modules/${client}`;
const manifest = JSON.parse(readFileSync(`${home}/package.json`, 'utf8'));
const loaded = await import(pathToFileURL(`${home}/${manifest.main}`));
const FOLDER = '/data/local/tmp/w';
// as in python_clients.py
const NAMES = [
  'a.txt', 'nums.txt', 'dir', 'dir/sub', 'new.txt', 'none/below.txt', 'sp ace.txt', "it's.txt", 'say "hi".txt',
  'cost $5.txt', 'a&b.txt', 'a;b.txt', '[b].log', 'q?.txt', 'star*.txt', 'back\\slash', '(1).txt', '#7.txt', '~tilde',
  'a=b.txt', '笔记 一.md', 'été.txt', '😀.png', '-dash',
];
const PATHS = NAMES.map((name) => `${FOLDER}/${name}`);
const [APP, OTHER] = ['com.android.deskclock', 'com.example.none'];
const TEXTS = ['hello', 'two words', "it's 5 o'clock", 'say "hi"', '50% & more; $HOME', '晴天', 'a\\b', '#tag (x)'];

async function attempt(name, call) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error('late')), 15000); });
  try {
    await Promise.race([call(), late]);
  } catch (error) {
    process.stderr.write(`${name}: ${String(error.message ?? error).slice(0, 100)}\n`);
  }
  clearTimeout(timer);
}

async function all(device, calls) {
  for (const [name, ...args] of calls) await attempt(name, () => device[name](...args));
}

function files(path) {
  return [['ls', '-l', path], ['cat', path], ['test', '-f', path], ['stat', '-c', '%s', path]];
}

const CLIENTS = {
  async 'appium-adb'() {
    const { ADB } = loaded;
    process.env.ANDROID_HOME ??= '/';
    const device = new ADB({ adbPort: Number(port), executable: { path: adb, defaultArgs: ['-P', port, '-s', serial] } });
    device.curDeviceId = serial;
    for (const path of PATHS) {
      await all(device, [
        ['fileExists', path], ['ls', path], ['ls', path, ['-la']], ['fileSize', path], ['mkdir', path], ['rimraf', path],
        ['push', new URL(import.meta.url).pathname, path],
      ]);
      for (const words of files(path)) await attempt('shell', () => device.shell(words));
    }
    for (const text of TEXTS) {
      await all(device, [['inputText', text], ['shell', ['echo', text]], ['shell', `echo '${text.replaceAll("'", '')}'`]]);
    }
    for (const name of ['SIGTERM', 'SIGKILL']) await all(device, [['killProcessesByName', OTHER, name]]);
    for (const app of [APP, OTHER]) {
      await all(device, [
        ['forceStop', app], ['clear', app], ['isAppInstalled', app], ['isAppRunning', app], ['processExists', app],
        ['getProcessIdsByName', app], ['getPackageInfo', app], ['grantPermission', app, 'android.permission.CAMERA'],
        ['revokePermission', app, 'android.permission.CAMERA'], ['resolveLaunchableActivity', app], ['activateApp', app],
        ['startApp', { pkg: app, activity: '.DeskClock', waitForLaunch: false }], ['startUri', 'https://example.org/a?b=c&d=e', app],
        ['targetSdkVersionUsingPKG', app], ['killPackage', app], ['uninstallApk', app],
      ]);
    }
    await all(device, [
      ['getDeviceSysLanguage'], ['getDeviceLocale'], ['getModel'], ['getScreenSize'], ['getScreenDensity'], ['getTimeZone'],
      ['setSetting', 'system', 'font_scale', '1.15'], ['getSetting', 'secure', 'android_id'], ['getLocationProviders'],
      ['toggleGPSLocationProvider', true], ['setHiddenApiPolicy', '1'], ['setDefaultHiddenApiPolicy'], ['setWifiState', true],
      ['setDataState', true], ['isWifiOn'], ['isDataOn'], ['isAirplaneModeOn'], ['setAirplaneMode', false], ['isAnimationOn'],
      ['setAnimationScale', 0], ['getScreenOrientation'], ['getDeviceIdleWhitelist'], ['listFeatures'], ['back'], ['goToHome'],
      ['ping'], ['listPorts'], ['listProcessStatus'], ['isScreenLocked'], ['dismissKeyguard'], ['isSoftKeyboardPresent'],
      ['availableIMEs'], ['enabledIMEs'], ['defaultIME'], ['getApiLevel'], ['clearTextField', 5], ['isLockManagementSupported'],
      ['isLockEnabled'], ['cacheApk', new URL(import.meta.url).pathname], ['setHttpProxy', '127.0.0.1', 8080], ['deleteHttpProxy'],
      ['installFromDevicePath', `${FOLDER}/x y.apk`], ['isRoot'], ['getFocusedPackageAndActivity'], ['broadcast', 'a.b.C'],
      ['shellChunks', (name) => ['rm', '-f', name], PATHS.slice(0, 3)],
    ]);
  },

  async 'adb-ts'() {
    const device = new loaded.Client({ port: Number(port), bin: adb, noAutoStart: true });
    // it sends a dozen lines for each: every second name
    for (const path of PATHS.filter((_, place) => place % 2 === 0)) {
      await all(device, [
        ['fileStat', serial, path], ['touch', serial, path], ['touch', serial, path, { noCreate: true, aTime: true }],
        ['touch', serial, path, { date: new Date(1704450030000) }], ['touch', serial, path, { reference: `${FOLDER}/a.txt` }],
        ['mkdir', serial, path], ['mkdir', serial, path, { parent: true }], ['mkdir', serial, path, { mode: '700' }],
        ['cp', serial, path, `${FOLDER}/copied`], ['cp', serial, path, `${FOLDER}/copied two`, { archive: true }],
        ['cp', serial, path, `${FOLDER}/dir`, { recursive: true, noClobber: true }],
        ['cp', serial, [path, `${FOLDER}/a.txt`], `${FOLDER}/dir`, { preserveTimestamps: true }],
        ['mv', serial, path, `${FOLDER}/moved`], ['mv', serial, path, `${FOLDER}/dir`, { force: true }],
        ['mv', serial, [path, `${FOLDER}/a.txt`], `${FOLDER}/dir`, { noClobber: true }],
        ['rm', serial, path], ['rm', serial, path, { recursive: true, force: true }],
      ]);
    }
    for (const text of TEXTS) await all(device, [['text', serial, text], ['execShell', serial, `echo "${text}"`]]);
    for (const app of [APP, OTHER]) {
      await all(device, [
        ['isInstalled', serial, app], ['clear', serial, app], ['startActivity', serial, app, '.DeskClock', { data: 'a b' }],
        ['startService', serial, app, '.S', { extras: [{ key: 'k y', type: 'string', value: "it's" }] }], ['killApp', serial, app],
      ]);
    }
    await all(device, [
      ['listProperties', serial], ['listFeatures', serial], ['listPackages', serial], ['getIpAddress', serial],
      ['listSettings', serial, 'system'], ['getProp', serial, 'ro.product.model'], ['setProp', serial, 'debug.x', "it's a b"],
      ['getSetting', serial, 'secure', 'android_id'], ['putSetting', serial, 'system', 'own name', "it's"], ['batteryStatus', serial],
      ['tap', serial, 1, 2], ['swipe', serial, 1, 2, 3, 4], ['keyEvent', serial, 3], ['screenshot', serial],
    ]);
  },

  async '@devicefarmer/adbkit'() { await adbkit(loaded.Adb ?? loaded.default.Adb); },

  async '@u4/adbkit'() { await adbkit(loaded.default); },
};

async function adbkit(Adb) {
  const device = Adb.createClient({ port: Number(port), bin: adb }).getDevice(serial);
  for (const path of PATHS) {
    for (const words of files(path)) await attempt('shell', () => device.shell(words));
  }
  for (const text of TEXTS) await attempt('shell', () => device.shell(['echo', text]));
  for (const app of [APP, OTHER]) {
    await all(device, [
      ['clear', app], ['isInstalled', app], ['uninstall', app],
      ['startActivity', { component: `${app}/.DeskClock`, action: 'android.intent.action.VIEW', data: 'a b', wait: true }],
      ['startService', { component: `${app}/.S`, extras: { 'k y': "it's", n: 3, b: true } }],
      ['installRemote', `${FOLDER}/x y.apk`],
    ]);
  }
  await all(device, [['getProperties'], ['getFeatures'], ['getPackages'], ['screencap'], ['waitBootComplete'], ['getDHCPIpAddress']]);
  for (const name of ['ps', 'ipRoute', 'ipRule', 'getIp', 'supportedLang', 'listServices']) {
    if (device.extra?.[name] ?? device[name]) await attempt(name, () => (device.extra?.[name] ? device.extra[name]() : device[name]()));
  }
}

process.stdout.write(`${manifest.version}\n`);
await CLIENTS[client]();
process.exit(0);
