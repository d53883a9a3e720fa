import java.awt.Component;
import java.awt.Dimension;
import java.awt.GridLayout;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.ArrayList;
import java.util.Scanner;
import javax.swing.JButton;
import javax.swing.JFrame;
import javax.swing.JLabel;
import javax.swing.JPanel;
import javax.swing.JScrollPane;
import javax.swing.SwingUtilities;

/** The same in Swing as covers.py; here the first child is in front. */
public class Covers {
    static final List<String> got = Collections.synchronizedList(new ArrayList<>());
    static final List<String> PLACES =
        Arrays.asList("Plain", "Under", "Behind", "Noted", "Seen", "Late");

    static JButton button(String name) {
        JButton button = new JButton(name);
        button.addActionListener(event -> got.add("\"" + name + "\""));
        return button;
    }

    static void lay(JPanel ground, Component part, String over, int inset) {
        int top = 10 + 70 * PLACES.indexOf(over);
        part.setBounds(10 + inset, top + inset / 2, 160 - 2 * inset, 50 - inset);
        ground.add(part, 0);
    }

    public static void main(String[] args) throws Exception {
        JButton late = button("Latecomer");
        SwingUtilities.invokeAndWait(() -> {
            JPanel ground = new JPanel(null);
            for (String name : PLACES) {
                lay(ground, button(name), name, 0);
            }
            lay(ground, button("Over"), "Under", 10);
            lay(ground, new JPanel(), "Behind", 10);
            lay(ground, new JLabel("A note"), "Noted", 10);
            lay(ground, new JLabel("Shine"), "Seen", 10);
            JPanel column = new JPanel(new GridLayout(0, 1));
            for (String name : Arrays.asList("First", "Second")) {
                JButton button = button(name);
                button.setPreferredSize(new Dimension(80, 50));
                column.add(button);
            }
            JScrollPane scrolled = new JScrollPane(column);
            scrolled.setBounds(190, 10, 100, 60);
            ground.add(scrolled);
            late.setVisible(false);
            lay(ground, late, "Late", 10);
            JFrame window = new JFrame("Covers");
            window.add(ground);
            window.setSize(300, 480);
            window.setVisible(true);
        });
        Scanner lines = new Scanner(System.in);
        while (lines.hasNextLine()) {
            boolean shows = lines.nextLine().equals("late");
            SwingUtilities.invokeAndWait(() -> late.setVisible(shows || late.isVisible()));
            Thread.sleep(100);
            System.out.println(got);
        }
        System.exit(0);
    }
}
