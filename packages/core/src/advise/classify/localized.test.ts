import { describe, expect, test } from 'vitest';
import type { FailureParent } from '../classification.ts';
import { classify } from './classify.ts';

const MESSAGES: Readonly<Record<string, readonly (readonly [FailureParent, string])[]>> = {
  German: [
    ['not_found', 'ls: Zugriff auf »bau« nicht möglich: Datei oder Verzeichnis nicht gefunden'],
    ['not_found', 'bash: fdfind: Kommando nicht gefunden.'],
    [
      'not_found',
      'Fehler: Schwerwiegend: Kein Git-Repository (oder irgendeines der Elternverzeichnisse)',
    ],
    [
      'not_found',
      'Der Befehl "gh" ist entweder falsch geschrieben oder konnte nicht gefunden werden.',
    ],
    ['not_found', 'Das System kann den angegebenen Pfad nicht finden.'],
    ['permission', 'mkdir: Verzeichnis »/srv/x« kann nicht angelegt werden: Keine Berechtigung'],
    ['permission', 'Zugriff verweigert'],
    ['network', 'ssh: connect to host h port 22: Verbindungsaufbau abgelehnt'],
    [
      'timeout',
      'ssh: connect to host h port 22: Die Wartezeit für die Verbindung: Zeitüberschreitung',
    ],
    ['resource', 'cp: Fehler beim Schreiben: Auf dem Gerät ist kein Speicherplatz mehr verfügbar'],
    ['syntax', 'bash: Syntaxfehler beim unerwarteten Symbol »)«'],
  ],
  French: [
    ['not_found', 'cat: notes: Aucun fichier ou dossier de ce type'],
    ['not_found', 'bash: fdfind : commande introuvable'],
    ['not_found', "Le chemin d'accès spécifié est introuvable."],
    ['permission', 'touch: impossible de faire un touch: Permission non accordée'],
    ['permission', 'Accès refusé.'],
    ['network', 'ssh: connect to host h port 22: Connexion refusée'],
    ['timeout', 'curl : Délai d’attente dépassé'],
    ['resource', 'cp: erreur d’écriture: Aucun espace disponible sur le périphérique'],
    ['syntax', 'bash: erreur de syntaxe près du symbole inattendu « ) »'],
  ],
  Spanish: [
    ['not_found', 'cat: notas: No existe el archivo o el directorio'],
    ['not_found', 'bash: fdfind: orden no encontrada'],
    ['not_found', 'El sistema no puede encontrar la ruta: no se encuentra el archivo.'],
    ['permission', 'mkdir: no se puede crear el directorio «x»: Permiso denegado'],
    ['permission', 'Acceso denegado.'],
    ['network', 'ssh: connect to host h port 22: Conexión rehusada'],
    ['timeout', 'psql: error: se agotó el tiempo de espera'],
    ['resource', 'cp: error: No queda espacio en el dispositivo'],
    ['syntax', 'bash: error de sintaxis cerca del elemento inesperado'],
  ],
  Portuguese: [
    ['not_found', 'cat: notas: Arquivo ou diretório inexistente'],
    ['not_found', 'bash: fdfind: comando não encontrado'],
    ['not_found', "'gh' não é reconhecido como um comando interno"],
    ['permission', 'mkdir: não foi possível criar o diretório: Permissão negada'],
    ['permission', 'Acesso negado.'],
    ['network', 'ssh: connect to host h port 22: Conexão recusada'],
    ['timeout', 'erro: o tempo limite da operação foi atingido'],
    ['resource', 'cp: erro: Não há espaço disponível no dispositivo'],
    ['syntax', 'bash: erro de sintaxe próximo ao token inesperado'],
  ],
  Chinese: [
    ['not_found', 'ls: 无法访问 x: 没有那个文件或目录'],
    ['not_found', 'bash: fdfind：未找到命令'],
    ['not_found', "'gh' 不是内部或外部命令，也不是可运行的程序"],
    ['not_found', '系统找不到指定的路径。'],
    ['permission', 'mkdir: 无法创建目录 x: 权限不够'],
    ['permission', '拒绝访问。'],
    ['network', 'ssh: connect to host h port 22: 拒绝连接'],
    ['timeout', 'ssh: connect to host h port 22: 连接超时'],
    ['resource', 'cp: 写入出错: 设备上没有空间'],
    ['syntax', 'bash: 语法错误: 未预期的文件结尾'],
  ],
  Japanese: [
    ['not_found', 'ls: x にアクセスできません: そのようなファイルやディレクトリはありません'],
    ['not_found', 'bash: fdfind: コマンドが見つかりません'],
    ['not_found', '指定されたパスが見つかりません。'],
    ['permission', 'mkdir: ディレクトリ x を作成できません: 許可がありません'],
    ['permission', 'アクセスが拒否されました。'],
    ['network', 'ssh: connect to host h port 22: 接続を拒否されました'],
    ['timeout', 'エラー: 接続がタイムアウトしました'],
    ['resource', 'cp: 書き込みエラー: デバイスに空き領域がありません'],
    ['syntax', 'bash: 構文エラー: 予期しないファイル終了'],
  ],
};

describe('messages in other languages', () => {
  const rows = Object.entries(MESSAGES).flatMap(([language, messages]) =>
    messages.map(([parent, output]) => [language, parent, output] as const),
  );

  test.each(rows)('in %s say %s: %s', (_language, parent, output) => {
    expect(classify({ tool: 'bash', output, exitCode: 1 })).toMatchObject({
      status: 'failure',
      parent,
    });
  });

  test.each([
    '0 Fehler, 2 Warnungen',
    '0 erreurs',
    '0 errores',
    '0 erros',
    '错误：0 个',
    'エラー: 0 件',
  ])('are no failure when they count none: %s', (output) => {
    expect(classify({ tool: 'bash', output, exitCode: 0 }).status).toBe('success');
    expect(classify({ tool: 'bash', output }).status).toBe('unknown');
  });

  test.each([
    'cat: notas: No existe el archivo o el directorio',
    'bash: fdfind : commande introuvable',
    'cat: 备忘: 没有那个文件或目录',
  ])('are believed without an exit code when a program says so: %s', (output) => {
    expect(classify({ tool: 'bash', output })).toMatchObject({
      status: 'failure',
      type: 'not_found',
    });
  });
});
