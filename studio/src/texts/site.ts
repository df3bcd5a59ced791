/** Texts of the room Site. */
import type { Table, Words } from '../texts.js';

export const site = {
  tabs: {
    status: ['State', 'Zustand'],
    findings: ['Problems', 'Probleme'],
    resources: ['Resources', 'Ressourcen'],
    access: ['Access', 'Zugänge'],
    settings: ['Settings', 'Einstellungen'],
    audit: ['Audit log', 'Protokoll'],
  },
  servers: ['Servers', 'Server'],
  noServer: ['No server is running. Start one on the server:', 'Es läuft kein Server. Auf dem Server starten:'],
  requests: ['Requests of the last 5 minutes', 'Anfragen der letzten 5 Minuten'],
  work: ['At work', 'Im Gange'],
  fromMemory: ['Answered from memory', 'Aus dem Speicher beantwortet'],
  outbox: (pending: number, oldest: number, failing: number) => [
    `${pending} waiting${oldest > 0 ? `, the oldest for ${oldest} s` : ''}; ${failing} failing ${failing === 1 ? 'receiver' : 'receivers'}`,
    `${pending} wartend${oldest > 0 ? `, die älteste seit ${oldest} s` : ''}; ${failing} Empfänger schlagen fehl`,
  ],
  database: ['Database', 'Datenbank'],
  replicas: ['Replicas', 'Replikate'],
  ending: ['Ends within 14 days', 'Endet innerhalb von 14 Tagen'],
  checkAgain: ['Check again', 'Erneut prüfen'],
  checked: (errors: number, warnings: number, good: number) => [
    `${errors} errors and ${warnings} warnings. ${good} checks found nothing.`,
    `${errors} Fehler und ${warnings} Warnungen. ${good} Prüfungen fanden nichts.`,
  ],
  fix: ['What to do:', 'Was zu tun ist:'],
  lookThere: ['See its deliveries', 'Zu seinen Zustellungen'],
  access: {
    keys: ['API keys', 'API-Schlüssel'],
    clients: ['OAuth clients', 'OAuth-Clients'],
    accessTokens: ['Access tokens of clients', 'Zugriffstokens von Clients'],
    tokens: ['Page tokens', 'Seitentokens'],
    previews: ['Previews', 'Vorschauen'],
  },
  revoke: ['Revoke', 'Widerrufen'],
  show: ['Show', 'Zeigen'],
  shown: {
    changed: ['Only changed', 'Nur geänderte'],
    all: ['Also of the content system', 'Auch die des Inhaltssystems'],
  },
  sources: {
    database: ['Set', 'Gesetzt'],
    environment: ['Environment', 'Umgebung'],
    file: ['File', 'Datei'],
    flag: ['Flag', 'Befehlszeile'],
  } as Words,
  reset: ['Reset', 'Zurücksetzen'],
  configuration: ['Configuration of the process', 'Konfiguration des Prozesses'],
  aboutConfiguration: [
    'These are set where hcd runs: in hcd.toml or the environment. A restart applies them.',
    'Diese Werte stehen dort, wo hcd läuft: in hcd.toml oder der Umgebung. Sie gelten nach einem Neustart.',
  ],
  audit: {
    isOff: [
      'Requests to the gateway are not recorded now; changes from Studio are.',
      'Anfragen an das Gateway werden zurzeit nicht aufgezeichnet; Änderungen aus Studio schon.',
    ],
    turnOn: ['Record requests from now on', 'Anfragen ab jetzt aufzeichnen'],
  },
  resource: {
    orders: {
      '-editedon': ['Last edited first', 'Zuletzt bearbeitete zuerst'],
      pagetitle: ['By title', 'Nach Titel'],
      menuindex: ['By menu order', 'Nach Menü'],
      '-id': ['Newest first', 'Neueste zuerst'],
    },
    more: ['Field=value or field[operator]=value', 'Feld=Wert oder Feld[Operator]=Wert'],
    create: ['New resource', 'Neue Ressource'],
    delete: ['Delete', 'Löschen'],
    restore: ['Restore', 'Wiederherstellen'],
    tvs: ['Template variables', 'Template-Variablen'],
    moreFields: ['More fields', 'Weitere Felder'],
  },
} satisfies Table;
