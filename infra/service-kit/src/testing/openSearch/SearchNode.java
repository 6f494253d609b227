import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.http.HttpServerTransport;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.painless.PainlessPlugin;
import org.opensearch.plugins.Plugin;
import org.opensearch.transport.Netty4Plugin;

/**
 * An OpenSearch node of one process on a port of this machine, 0 for a free one, with its data in a folder. Prints
 * {"port":N} when it is ready. It ends when its standard input does, that is with its parent, and deletes the folder.
 */
class SearchNode extends Node {
  SearchNode(Environment environment, List<Class<? extends Plugin>> plugins) {
    super(environment, plugins, false);
  }

  public static void main(String[] arguments) throws Exception {
    Path home = Path.of(arguments[0]);
    int port = Integer.parseInt(arguments[1]);
    Settings settings =
        Settings.builder()
            .put("cluster.name", "forecourt")
            .put("node.name", "node")
            .put("path.home", home)
            .put("network.host", "127.0.0.1")
            .put("http.port", port)
            .put("transport.port", 0)
            .put("discovery.type", "single-node")
            .put("cluster.routing.allocation.disk.threshold_enabled", false)
            .build();
    Environment environment =
        InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "node");
    SearchNode node =
        new SearchNode(environment, List.of(Netty4Plugin.class, PainlessPlugin.class));
    try {
      node.start();
      HttpServerTransport http = node.injector().getInstance(HttpServerTransport.class);
      System.out.println("{\"port\":" + http.boundAddress().publishAddress().getPort() + "}");
      while (System.in.read() >= 0) {}
    } finally {
      node.close();
      try (var files = Files.walk(home)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.delete(file);
      }
      System.exit(0);
    }
  }
}
